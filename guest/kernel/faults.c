// SPDX-License-Identifier: MIT

// Exceptions in ring 3: the process is ended with a report, and the others go on. An exception in
// ring 0 is a bug of the kernel, and stops the run.

#include "cas.h"
#include "kernel.h"

static const struct {
    unsigned vector;
    const char* name;
} exceptions[] = {
    {DIVIDE_ERROR, "division error"},
    {BREAKPOINT, "breakpoint"},
    {OVERFLOW, "overflow"},
    {BOUNDS_CHECK, "index out of bounds"},
    {INVALID_OPCODE, "invalid opcode"},
    {INVALID_TASK, "invalid task state segment"},
    {NOT_PRESENT, "segment not present"},
    {STACK_FAULT, "stack fault"},
    {GENERAL_PROTECTION, "general protection fault"},
    {PAGE_FAULT, "page fault"},
    {COPROCESSOR_ERROR, "80387 error"},
};
#define EXCEPTIONS (sizeof exceptions / sizeof exceptions[0])

static const char* name_of(unsigned vector) {
    for (unsigned i = 0; i < EXCEPTIONS; i++)
        if (exceptions[i].vector == vector) return exceptions[i].name;
    return "exception";
}

static const char* place_of(uint32_t address) {
    if (address >= STACK_BOTTOM - PAGE_BYTES && address < STACK_BOTTOM) return ", below its stack";
    return address < PAGE_BYTES ? ", a null pointer" : "";
}

static void fault(struct trap_frame* frame) {
    const uint32_t address = read_cr2();
    struct process* process = this_processor()->current;
    if ((frame->cs & 3) != 3)
        panic("the kernel: %s, error code 0x%x, eip 0x%x, cr2 0x%x", name_of(frame->vector),
              frame->error, frame->eip, address);
    // A write that is not allowed may end a compare_and_swap that has its lock.
    if (in_compare_and_swap(frame->eip)) cas_lock_of(address)->taken = 0;
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    if (frame->vector == PAGE_FAULT)
        printf("process %d ended: page fault at eip 0x%x, address 0x%x%s\n", process->number,
               frame->eip, address, place_of(address));
    else
        printf("process %d ended: %s at eip 0x%x\n", process->number, name_of(frame->vector),
               frame->eip);
    process_end(PROCESS_FAULTED);
}

void faults_setup(void) {
    for (unsigned i = 0; i < EXCEPTIONS; i++) on_interrupt(exceptions[i].vector, fault);
}
