// SPDX-License-Identifier: MIT

// Exceptions of a thread: pages that are not there yet, and what ends a process.

#include "symsim.h"
#include "thread.h"

enum signal { SIGILL = 4, SIGTRAP = 5, SIGBUS = 7, SIGFPE = 8, SIGKILL = 9, SIGSEGV = 11 };

static int signal_of(unsigned vector) {
    switch (vector) {
        case DIVIDE_ERROR:
        case COPROCESSOR_ERROR: return SIGFPE;
        case DEBUG_EXCEPTION:
        case BREAKPOINT: return SIGTRAP;
        case INVALID_OPCODE: return SIGILL;
        case NOT_PRESENT:
        case STACK_FAULT: return SIGBUS;
        default: return SIGSEGV;
    }
}

static void fatal(const struct trap_frame* frame, uint32_t address) {
    const struct thread* thread = this_thread();
    if (frame->vector == PAGE_FAULT)
        printf("linux: thread %d: page fault at eip 0x%x, address 0x%x\n", thread->id, frame->eip,
               address);
    else
        printf("linux: thread %d: %s at eip 0x%x\n", thread->id, exception_name(frame->vector),
               frame->eip);
    process_end(signal_of(frame->vector));
}

static void exception(struct trap_frame* frame) {
    const uint32_t address = read_cr2();
    if (frame->vector != PAGE_FAULT) fatal(frame, 0);
    const int error = page_fault(this_memory(), address, frame->error & FAULT_WRITE);
    if (error == -ENOMEM) {
        printf("linux: out of memory; raise memory.size_mb\n");
        process_end(SIGKILL);
    }
    if (error) fatal(frame, address);
    if (frame->error & FAULT_PRESENT) flush_pages();  // the old translation
    leave_to_user(frame);
}

void setup_faults(void) {
    on_user_exceptions(exception);
}
