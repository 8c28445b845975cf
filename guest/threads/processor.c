// SPDX-License-Identifier: MIT

// Per-processor data of the package: gives each processor a segment for it, in %gs.

#include "descriptors.h"
#include "package.h"
#include "paging.h"

unsigned thread_switches;  // stands for memory in this_processor(); never written

// Each processor's descriptor table: code and data as without the package (descriptors.h), for
// interrupts that pass through them, and the segment of the processor's own data.
static LINE_ALIGNED struct descriptor tables[MAX_PROCESSORS][4];

#if PRIVATE_COPIES
struct private_page private_page;
#endif

#define OWN_SELECTOR 0x18

static struct descriptor flat(enum segment_kind kind) {
    return (struct descriptor){0xffff, 0xcf << 16 | kind << 8};
}

void processor_setup(unsigned number, struct processor* processor, size_t bytes) {
    uint32_t base = (uintptr_t)processor;
    struct descriptor* descriptors = tables[number];
    descriptors[KERNEL_CODE / 8] = flat(SEGMENT_CODE);
    descriptors[KERNEL_DATA / 8] = flat(SEGMENT_DATA);
    descriptors[OWN_SELECTOR / 8] =
        (struct descriptor){(bytes - 1) | base << 16, (base & 0xff000000) | 1 << 22 |
                                                          SEGMENT_DATA << 8 | (base >> 16 & 0xff)};
    const struct {
        uint16_t limit;
        uint32_t base;
    } __attribute__((packed)) table = {sizeof tables[number] - 1, (uintptr_t)descriptors};
    __asm__ volatile("lgdt %0\n\tmovl %1, %%gs" : : "m"(table), "r"(OWN_SELECTOR) : "memory");
    processor->self = processor;
#if PRIVATE_COPIES
    struct space* space = space_create();
    map_page(space, (uintptr_t)&private_page, (uintptr_t)page_allocate(), PAGE_WRITABLE);
    use_space(space);
    private_page.lock = (struct lock)LOCK_INIT;
#endif
}
