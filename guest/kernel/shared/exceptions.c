// SPDX-License-Identifier: MIT

#include "kernel.h"
#include "symsim.h"

#define COPROCESSOR_OVERRUN 9  // an operand that goes beyond its segment

static const struct {
    unsigned vector;
    const char* name;
} exceptions[] = {
    {DIVIDE_ERROR, "division error"},
    {DEBUG_EXCEPTION, "debug exception"},
    {BREAKPOINT, "breakpoint"},
    {OVERFLOW, "overflow"},
    {BOUNDS_CHECK, "index out of bounds"},
    {INVALID_OPCODE, "invalid opcode"},
    {COPROCESSOR_OVERRUN, "80387 operand outside its segment"},
    {INVALID_TASK, "invalid task state segment"},
    {NOT_PRESENT, "segment not present"},
    {STACK_FAULT, "stack fault"},
    {GENERAL_PROTECTION, "general protection fault"},
    {PAGE_FAULT, "page fault"},
    {COPROCESSOR_ERROR, "80387 error"},
};
#define EXCEPTIONS (sizeof exceptions / sizeof exceptions[0])

const char* exception_name(unsigned vector) {
    for (unsigned i = 0; i < EXCEPTIONS; i++)
        if (exceptions[i].vector == vector) return exceptions[i].name;
    return "exception";
}

static interrupt_handler* user_handler;

static void exception(struct trap_frame* frame) {
    if (!from_user(frame))
        panic("the kernel: %s, error code 0x%x, eip 0x%x, cr2 0x%x", exception_name(frame->vector),
              frame->error, frame->eip, read_cr2());
    user_handler(frame);
}

void on_user_exceptions(interrupt_handler* handler) {
    user_handler = handler;
    for (unsigned i = 0; i < EXCEPTIONS; i++) on_interrupt(exceptions[i].vector, exception);
    allow_user_interrupt(BREAKPOINT);  // int3 and into
    allow_user_interrupt(OVERFLOW);
}
