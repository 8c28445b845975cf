// SPDX-License-Identifier: MIT
#pragma once

// Per-processor data, and addresses of the devices. C files and boot/start.S include this file.

#ifndef MAX_PROCESSORS     // of the build: SYMSIM_MAX_PROCESSORS
#define MAX_PROCESSORS 64  // the largest value of machine.processors
#endif
#ifndef STACK_SHIFT     // equal in all files of an image; `symlab cc --stack-kb` sets another
#define STACK_SHIFT 14  // 16 KB
#endif
#define STACK_BYTES (1 << STACK_SHIFT)  // with struct cpu, and a guard page if above 16 KB

// Registers of the processor board, and devices on the bus (docs/how-to/devices.md).
#define BOARD_PROCESSOR 0xC8000000   // read: this processor's number
#define BOARD_PROCESSORS 0xC8000004  // read: how many processors there are
#define BOARD_CLOCK_US 0xCC002000    // read: simulated microseconds, 32 bits
#define CONSOLE_BYTE 0xD0000000      // write 8: a byte of text; read 8: the input's next byte
#define CONSOLE_LEFT 0xD0000004      // read 32: how many bytes of the input are left
#define POWER_OFF 0xD0001000         // write 32: exit status, ends the run
#define RESULTS_BYTE 0xD0002000      // write 8: text lines "name value"

#define PRIVATE_PAGE 0x7FFFF000  // a process's own page, in programs of processes (process.h)

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#include "ordering.h"

// Per-processor data, at the base of the processor's stack. Each writer has a line of its own, so
// that a word on which a processor spins is invalidated only when its value changes.
struct cpu {
    // Own: used only by the processor, and by processor 0 before it gives out the first work.
    LINE_ALIGNED unsigned number;
    uint32_t random;  // state of random_next, never 0
    unsigned barriers_passed;

    // Mailbox: written by processor 0, read by the owner, which spins on `turn`.
    LINE_ALIGNED volatile unsigned turn;  // incremented for each piece of work; written last
    void (*volatile function)(unsigned processor, void* argument);
    void* volatile argument;

    // Answers: written by the owner, read by processor 0.
    LINE_ALIGNED volatile unsigned turns_done;       // value of `turn` whose work is finished
    LINE_ALIGNED volatile unsigned barrier_arrived;  // number of the barrier that it has reached
};

_Static_assert(offsetof(struct cpu, turn) == LINE_BYTES, "mailbox has a line of its own");
_Static_assert(sizeof(struct cpu) <= STACK_BYTES / 16, "struct cpu leaves room for the stack");

extern char symsim_stacks[];

static inline struct cpu* cpu_of(unsigned processor) {
    return (struct cpu*)(symsim_stacks + processor * STACK_BYTES);
}

static inline uint32_t read_register(uintptr_t address) {
    return *(volatile uint32_t*)address;
}

// The struct cpu of the processor on which the code runs. Volatile, since a switch to another stack
// can change the result.
#ifdef SYMSIM_SPACES  // ring 3 has no board, so the package keeps the address (threads/package.h)
#define PROCESSOR_CPU 16
static inline struct cpu* this_cpu(void) {
    struct cpu* cpu;
    __asm__ volatile("movl %%gs:%c1, %0" : "=r"(cpu) : "i"(PROCESSOR_CPU));
    return cpu;
}
#elif defined(SYMSIM_THREADS)    // this may be a thread's stack, so the board is asked
static inline struct cpu* this_cpu(void) {
    return cpu_of(read_register(BOARD_PROCESSOR));
}
#elif defined(SYMSIM_PROCESSES)  // in ring 3 the process's own page, in the kernel the processor's
static inline struct cpu* this_cpu(void) {
    unsigned code_segment;
    __asm__ volatile("movl %%cs, %0" : "=r"(code_segment));
    if (code_segment & 3) return (struct cpu*)PRIVATE_PAGE;
    return cpu_of(read_register(BOARD_PROCESSOR));
}
#else                            // stacks are aligned to their size, so esp is masked
static inline struct cpu* this_cpu(void) {
    struct cpu* cpu;
    __asm__ volatile("andl %%esp, %0" : "=r"(cpu) : "0"(-STACK_BYTES) : "cc");
    return cpu;
}
#endif

#endif
