// SPDX-License-Identifier: MIT

// How long one load takes: from the own cache, from the memory of the own node, and from that of
// another one. Where all memory is equally far, the last two are the same.
//
// The loads go once through lines that no cache has had before. Whose memory a page is in, its
// first user decides (nodes.placement = "first-touch"): the loads from far memory go through pages
// of which the last processor has used the first line.
//
// Arguments   pages   of memory to load from; default 64
//             stride  bytes from one load to the next; default 128
// Results     hit_ns, near_ns, far_ns   per load, without the loop's own instructions

#include "stdlib.h"
#include "symsim.h"

#define PAGE_BYTES 4096

static unsigned pages, stride;

static char* new_pages(void) {
    char* memory = malloc((pages + 1) * PAGE_BYTES);
    if (memory == NULL) panic("no memory for %u pages", pages);
    return memory + (PAGE_BYTES - (uintptr_t)memory % PAGE_BYTES);
}

static void use_first_lines(unsigned unused, void* memory) {
    (void)unused;
    for (unsigned page = 0; page < pages; page++)
        *((volatile unsigned*)memory + page * PAGE_BYTES / sizeof(unsigned)) = 0;
}

// In microseconds. `step`: from one address to the next; 0: all loads are of one line.
static inline __attribute__((always_inline)) uint32_t time_of_loop(const char* memory,
                                                                   unsigned step,
                                                                   const bool with_loads) {
    uint32_t start = clock_us();
    for (unsigned page = 0; page < pages; page++) {
        const char* next = memory + (step == 0 ? 0 : page * PAGE_BYTES);
        for (unsigned offset = stride; offset < PAGE_BYTES; offset += stride) {
            next += step;
            if (with_loads)
                (void)*(const volatile unsigned*)next;
            else
                __asm__ volatile("" : "+r"(next));
        }
    }
    return clock_us() - start;
}

// Two functions, whose loops differ by one instruction.
static __attribute__((noinline)) uint32_t time_of_loads(const char* memory, unsigned step) {
    return time_of_loop(memory, step, true);
}
static __attribute__((noinline)) uint32_t time_without_loads(const char* memory, unsigned step) {
    return time_of_loop(memory, step, false);
}

int main(void) {
    pages = arg_unsigned("pages", 64);
    stride = arg_unsigned("stride", 128);
    if (pages == 0 || stride < sizeof(unsigned) || PAGE_BYTES % stride != 0 || stride == PAGE_BYTES)
        panic("pages must be at least 1, and stride a power of two from 4 to 2048");
    char *near = new_pages(), *far = new_pages();
    start_on(processors() - 1, use_first_lines, far);
    wait_for(processors() - 1);

    unsigned loads = pages * (PAGE_BYTES / stride - 1);
    time_without_loads(near, 0);  // brings the code
    time_of_loads(near, 0);       // and the line
    uint32_t loop = time_without_loads(near, 0);
    uint32_t hit = time_of_loads(near, 0) - loop;
    report_thousandths("hit_ns", (int64_t)hit * 1000000 / loads);
    uint32_t near_us = time_of_loads(near, stride) - loop;
    report_thousandths("near_ns", (int64_t)near_us * 1000000 / loads);
    uint32_t far_us = time_of_loads(far, stride) - loop;
    report_thousandths("far_ns", (int64_t)far_us * 1000000 / loads);
    return 0;
}
