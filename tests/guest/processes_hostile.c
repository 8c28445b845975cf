// SPDX-License-Identifier: MIT

// Some processes write all that ring 3 may write, other than code and stacks of others: context
// blocks, locks of compare_and_swap, the arguments, the heap. The kernel still shares the
// processors: who touches nothing of this gets his turns, and processes can be created and awaited.

#include "process.h"

#include "kernel/processes/cas.h"
#include "test.h"

extern char symsim_boot_args[], symsim_data_begin[], symsim_kernel_data[];

static volatile unsigned stop;

// What an honest process needs is in its registers and on its own stack.
static void honest(void* unused) {
    (void)unused;
    unsigned turns = 0;
    for (const uint32_t begin = clock_us(); clock_us() - begin < 20000;) turns++;
    process_exit(turns > 50 ? 1 : 2);
}

static void hold_locks(void* unused) {
    (void)unused;
    for (;;)
        for (unsigned i = 0; i < CAS_LOCKS; i++) cas_locks[i].taken = 1;
}

static void scribble_blocks(void* unused) {
    (void)unused;
    for (unsigned value = 0;; value++)
        for (unsigned i = 0; i < MAX_PROCESSES; i++) {
            context_blocks[i].state = value % 6;
            context_blocks[i].unpreemptable = value;
            context_blocks[i].warning = value;
        }
}

static void swap_for_ever(void* unused) {
    (void)unused;
    for (unsigned i = 0;; i++) compare_and_swap(&context_blocks[i % MAX_PROCESSES].state, i % 4, 3);
}

// All variables but `stop`, which is in this function's way, and its own page.
static void scribble_all(void* unused) {
    (void)unused;
    for (;;) {
        for (unsigned* word = (unsigned*)symsim_data_begin; word < (unsigned*)symsim_kernel_data;
             word++)
            if ((volatile unsigned*)word != &stop) *(volatile unsigned*)word = 0xa5a5a5a5;
        for (unsigned i = 0; i < sizeof(struct private_page); i++)
            ((volatile char*)PRIVATE)[i] = -1;
    }
}

int main(void) {
    process_function* const hostile[] = {hold_locks, scribble_blocks, swap_for_ever, scribble_all};
    int processor_of = (int)processors();
    for (unsigned i = 0; i < 4; i++) process_spawn(hostile[i], NULL, (int)i % processor_of);
    for (unsigned i = 0; i < 3; i++) {
        int number[4];
        for (unsigned n = 0; n < 4; n++)
            number[n] = process_spawn(honest, NULL, (int)n % processor_of);
        for (unsigned n = 0; n < 4; n++)
            if (process_wait(number[n]) != 1) return 2;
    }
    return 0;
}
