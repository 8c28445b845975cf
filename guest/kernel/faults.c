// SPDX-License-Identifier: MIT

// Exceptions in ring 3: the process is ended with a report, and the others go on. An exception in
// ring 0 is a bug of the kernel, and stops the run.

#include "cas.h"
#include "exceptions.h"
#include "kernel.h"

static const char* place_of(uint32_t address) {
    if (address >= STACK_BOTTOM - PAGE_BYTES && address < STACK_BOTTOM) return ", below its stack";
    return address < PAGE_BYTES ? ", a null pointer" : "";
}

// compare_and_swap reads the word before it takes the word's lock. So a process that faults there
// has the lock only if it may read the word and not write it.
static bool has_cas_lock(struct trap_frame* frame) {
    return in_compare_and_swap(frame->eip) && frame->vector == PAGE_FAULT &&
           (frame->error & FAULT_PRESENT) != 0 && (frame->error & FAULT_WRITE) != 0;
}

_Noreturn void fault(struct trap_frame* frame) {
    const uint32_t address = read_cr2();
    struct process* process = this_processor()->current;
    if ((frame->cs & 3) != 3)
        panic("the kernel: %s, error code 0x%x, eip 0x%x, cr2 0x%x", name_of(frame->vector),
              frame->error, frame->eip, address);
    if (has_cas_lock(frame)) cas_lock_of(address)->taken = 0;
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
    for (unsigned i = 0; i < EXCEPTIONS; i++)
        if (exceptions[i].vector != DEBUG_EXCEPTION)  // quantum.c has it
            on_interrupt(exceptions[i].vector, fault);
    allow_user_interrupt(BREAKPOINT);  // int3 and into are instructions of ring 3
    allow_user_interrupt(OVERFLOW);
}
