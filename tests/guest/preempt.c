// SPDX-License-Identifier: MIT

// Preemption at a given instruction (preempt.*): the timer's interrupt comes once, to one
// processor, between two instructions of path(). The guest reports between which.
// tests/run/preemption_test.cpp sweeps preempt.instructions over the whole path. The other
// processors load the bus meanwhile.

#include "cpu.h"
#include "slic.h"
#include "symsim.h"
#include "test.h"

#define REGION 5
#define PATH_INSTRUCTIONS 8

void path(void);
extern const uintptr_t boundaries[PATH_INSTRUCTIONS];  // [n]: the eip after n + 1 instructions
volatile uint8_t path_word;
volatile uint32_t path_count;
static volatile uint32_t noise[MAX_PROCESSORS], interrupts, unknown, boundary;

// Takes a lock, calls a function, and releases the lock.
__asm__(
    ".text\n"
    "path:\n" PROBE_RECORD(4, "$5")
    "\tmovb $1, %al\n"
    "1:\txchgb %al, path_word\n"
    "2:\ttestb %al, %al\n"
    "3:\tjnz 3b\n"
    "4:\tcall leaf\n"
    "7:\tmovb $0, path_word\n"
    "8:\tret\n"
    "leaf:\n"
    "5:\tincl path_count\n"
    "6:\tret\n"
    "\t.section .rodata\n"
    "\t.balign 4\n"
    "boundaries: .long 1b, 2b, 3b, 4b, 5b, 6b, 7b, 8b\n"
    "\t.text\n");

static void tick(struct trap_frame* frame) {
    interrupts++;
    for (unsigned n = 0; n < PATH_INSTRUCTIONS; n++)
        if (frame->eip == boundaries[n]) boundary = n + 1;
    if (boundary == 0) unknown++;
}

static void walk(unsigned cpu, void* unused) {
    (void)unused;
    if (cpu != 0) {
        for (unsigned i = 0; i < 100; i++) noise[cpu]++;
        return;
    }
    descriptors_load();
    slic_mask(1 << SLIC_CLOCK_BIN);
    while (slic_read(SLIC_MASK) != 1 << SLIC_CLOCK_BIN) continue;
    uint32_t since = clock_us();
    while (clock_us() - since < 10) continue;  // the mask takes effect late
    interrupts_on();
    path();
    interrupts_off();
}

int main(void) {
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick);
    run_on_all(walk, NULL);
    CHECK_EQUAL(path_count, 1);
    report("interrupts", interrupts);
    report("boundary", boundary);
    report("unknown", unknown);
    return 0;
}
