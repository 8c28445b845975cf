// SPDX-License-Identifier: MIT
#pragma once

// Exceptions and interrupts, once descriptors_load() has been called on the processor. A handler
// is a C function for all processors; one that returns lets the interrupted program go on with the
// registers as the frame has them then.

#include "descriptors.h"

// The 386's own vectors (PRM table 9-1).
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
#define SLIC_VECTORS 0x40  // 8 of them, a bin each: what the SLIC has from the start
#define VECTORS 256

enum flag {
    FLAG_CARRY = 1 << 0,
    FLAG_ZERO = 1 << 6,
    FLAG_TRAP = 1 << 8,
    FLAG_INTERRUPT = 1 << 9,
    FLAG_NESTED = 1 << 14,
    FLAG_RESUME = 1 << 16,
};

// What lies on the stack in a handler: interrupt_entries.S pushes the upper part, the processor the
// lower one.
struct trap_frame {
    uint32_t es, ds;
    uint32_t edi, esi, ebp, unused, ebx, edx, ecx, eax;
    uint32_t vector;
    uint32_t error;  // 0 where the exception has none
    uint32_t eip, cs, flags;
    uint32_t esp, ss;  // only if it came from ring 3
};

typedef void interrupt_handler(struct trap_frame* frame);

// Without a handler an interrupt is a panic that tells vector, error code and eip. Returns the
// handler there was, or NULL.
interrupt_handler* on_interrupt(unsigned vector, interrupt_handler* handler);
// Another gate in the table all processors share: of a task, say.
void set_gate(unsigned vector, struct descriptor gate);
// Ring 3 may come here by int.
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
// Off, and back to what they were: for sections that may be nested.
static inline uint32_t interrupts_save(void) {
    uint32_t flags = read_flags();
    interrupts_off();
    return flags;
}
static inline void interrupts_restore(uint32_t flags) {
    if (flags & FLAG_INTERRUPT) interrupts_on();
}

// Called with interrupts off, by who has seen that there is nothing to do: sleeps until an
// interrupt has been handled, and returns with interrupts off. None is missed in between, since
// none comes between sti and hlt.
void sleep_until_interrupt(void);
