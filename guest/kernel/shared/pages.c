// SPDX-License-Identifier: MIT

// The kernel's pages, at the end of memory. Pages are not used again, so no processor has an old
// translation of one, and no program sees what another one wrote. Memory that nobody has written is
// zero.

#include "kernel.h"
#include "spinlock.h"
#include "symsim.h"

extern uint32_t symsim_memory_bytes;  // lib/heap.c

static char *pages_begin, *pages_end, *memory_end;
static struct spinlock pages_lock;

struct space* kernel_space;

bool pages_left(unsigned number) {
    return (unsigned)(pages_end - pages_begin) >= number * PAGE_BYTES;
}

char* take_pages(unsigned number) {
    spinlock_acquire(&pages_lock);
    char* first = NULL;
    if (pages_left(number)) first = pages_end -= number * PAGE_BYTES;
    spinlock_release(&pages_lock);
    return first;
}

void* page_allocate(void) {
    void* page = take_pages(1);
    if (page == NULL) panic("the kernel's pages are used up; a larger memory.size_mb has more");
    return page;
}

void setup_pages(unsigned most) {
    memory_end = (char*)(symsim_memory_bytes & PAGE_FRAME);
    uint32_t bytes = most * PAGE_BYTES;
    if (bytes > (uintptr_t)memory_end / 4) bytes = (uintptr_t)memory_end / 4 & PAGE_FRAME;
    pages_end = memory_end;
    pages_begin = memory_end - bytes;
    symsim_memory_bytes = (uint32_t)(uintptr_t)pages_begin;
    kernel_space = page_allocate();
}

uintptr_t memory_of_programs(void) {
    return (uintptr_t)pages_begin;
}

void map_kernel_pages(struct space* space) {
    map_identity(space, (uintptr_t)pages_begin, (uintptr_t)memory_end, PAGE_WRITABLE);
}

// A 386 in ring 0 may write any page.
void map_devices(struct space* space, unsigned board) {
    map_page(space, BOARD_PROCESSOR, BOARD_PROCESSOR, board);
    map_page(space, BOARD_CLOCK_US, BOARD_CLOCK_US, PAGE_USER);
    map_page(space, CONSOLE_BYTE, CONSOLE_BYTE, PAGE_WRITABLE);
    map_page(space, POWER_OFF, POWER_OFF, PAGE_WRITABLE);
    map_page(space, RESULTS_BYTE, RESULTS_BYTE, PAGE_WRITABLE);
}
