// SPDX-License-Identifier: MIT
#pragma once

// Exceptions and interrupts. They work on a processor after its descriptors_load(). A handler is a
// C function and serves all processors. When it returns, the interrupted program continues with the
// registers in the frame, which the handler may have changed.

#include "descriptors.h"

// Exception vectors of the 386 (PRM table 9-1).
enum exception {
    DIVIDE_ERROR = 0,
    DEBUG_EXCEPTION = 1,
    NON_MASKABLE = 2,
    BREAKPOINT = 3,
    OVERFLOW = 4,
    BOUNDS_CHECK = 5,
    INVALID_OPCODE = 6,
    NO_COPROCESSOR = 7,
    DOUBLE_FAULT = 8,
    INVALID_TASK = 10,
    NOT_PRESENT = 11,
    STACK_FAULT = 12,
    GENERAL_PROTECTION = 13,
    PAGE_FAULT = 14,
    COPROCESSOR_ERROR = 16,
};
#define SLIC_VECTORS 0x40  // first of 8 vectors, one per bin: the SLIC's initial value
#define VECTORS 256

enum flag {
    FLAG_CARRY = 1 << 0,
    FLAG_ZERO = 1 << 6,
    FLAG_TRAP = 1 << 8,
    FLAG_INTERRUPT = 1 << 9,
    FLAG_NESTED = 1 << 14,
    FLAG_RESUME = 1 << 16,
};

// The stack frame that a handler gets: the processor pushes the later fields from eip (or error)
// on, interrupt_entries.S the ones before.
struct trap_frame {
    uint32_t es, ds;
    uint32_t edi, esi, ebp, unused, ebx, edx, ecx, eax;
    uint32_t vector;
    uint32_t error;  // 0 if the exception has no error code
    uint32_t eip, cs, flags;
    uint32_t esp, ss;  // only if the interrupt came from ring 3
};

typedef void interrupt_handler(struct trap_frame* frame);

// Installs a handler and returns the previous one or NULL. An interrupt without a handler is a
// panic that prints vector, error code and eip.
interrupt_handler* on_interrupt(unsigned vector, interrupt_handler* handler);
// Sets another gate in the interrupt table that all processors share, for example a task gate.
void set_gate(unsigned vector, struct descriptor gate);
// Lets ring 3 raise this interrupt with int.
void allow_user_interrupt(unsigned vector);

static inline uint32_t read_flags(void) {
    uint32_t flags;
    __asm__ volatile("pushfl; popl %0" : "=r"(flags) : : "memory");
    return flags;
}
static inline void interrupts_on(void) {
    __asm__ volatile("sti" : : : "memory");
}
static inline void interrupts_off(void) {
    __asm__ volatile("cli" : : : "memory");
}
// Turns interrupts off / restores their previous state: for sections that may be nested.
static inline uint32_t interrupts_save(void) {
    uint32_t flags = read_flags();
    interrupts_off();
    return flags;
}
static inline void interrupts_restore(uint32_t flags) {
    if (flags & FLAG_INTERRUPT) interrupts_on();
}

// To be called with interrupts off, after a check that there is nothing to do. Sleeps until an
// interrupt has been handled, and returns with interrupts off. No interrupt is missed, since none
// is taken between sti and hlt.
void sleep_until_interrupt(void);
