// SPDX-License-Identifier: MIT

// Exceptions of a process: it is ended with a report, and the others continue.

#include "cas.h"
#include "processes.h"

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

static void fault(struct trap_frame* frame) {
    const uint32_t address = read_cr2();
    const int number = this_process()->task.number;
    if (has_cas_lock(frame)) cas_lock_of(address)->taken = 0;
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    if (frame->vector == PAGE_FAULT)
        printf("process %d ended: page fault at eip 0x%x, address 0x%x%s\n", number, frame->eip,
               address, place_of(address));
    else
        printf("process %d ended: %s at eip 0x%x\n", number, exception_name(frame->vector),
               frame->eip);
    process_end(PROCESS_FAULTED);
}

void setup_faults(void) {
    on_user_exceptions(fault);
}
