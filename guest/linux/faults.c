// SPDX-License-Identifier: MIT

// Exceptions of a thread: pages that are not there yet, and what ends a process.

#include "symsim.h"
#include "thread.h"

#define SEGV_MAPERR 1  // si_code: there is nothing at the address
#define SEGV_ACCERR 2  // its page does not allow this
#define FPE_INTDIV 1

static int signal_of(unsigned vector) {
    switch (vector) {
        case DIVIDE_ERROR:
        case COPROCESSOR_ERROR:
            return SIGFPE;
        case DEBUG_EXCEPTION:
        case BREAKPOINT:
            return SIGTRAP;
        case INVALID_OPCODE:
            return SIGILL;
        case NOT_PRESENT:
        case STACK_FAULT:
            return SIGBUS;
        default:
            return SIGSEGV;
    }
}

// The first bit of the 80387's status that is not masked says why.
static int float_code(struct task* task) {
    static const int codes[] = {7, 7, 3, 4, 5, 6};  // of bits 0 to 5
    leave_fpu(task);
    const uint32_t raised = task->fpu.registers[1] & ~task->fpu.registers[0];
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (raised >> i & 1) return codes[i];
    return 0;
}

static int segment_code(struct memory* memory, uint32_t address) {
    spinlock_acquire(&memory->lock);
    const bool mapped = area_at(memory, address) != NULL;
    spinlock_release(&memory->lock);
    return mapped ? SEGV_ACCERR : SEGV_MAPERR;
}

static int code_of(struct thread* thread, unsigned vector, uint32_t address) {
    if (vector == DIVIDE_ERROR) return FPE_INTDIV;
    if (vector == COPROCESSOR_ERROR) return float_code(&thread->task);
    if (vector == PAGE_FAULT) return segment_code(thread->process->memory, address);
    return SI_KERNEL;
}

// Says where, unless the program handles the signal.
static void tell(const struct thread* thread, const struct trap_frame* frame, uint32_t address,
                 int signal) {
    if (thread->process->actions[signal - 1].handler > SIG_IGN) return;
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    if (frame->vector == PAGE_FAULT)
        printf("linux: thread %d: page fault at eip 0x%x, address 0x%x\n", thread->id, frame->eip,
               address);
    else
        printf("linux: thread %d: %s at eip 0x%x\n", thread->id, exception_name(frame->vector),
               frame->eip);
}

static void raise(const struct trap_frame* frame, uint32_t address, int signal) {
    struct thread* thread = this_thread();
    thread->fault_vector = frame->vector;
    thread->fault_error = frame->error;
    thread->fault_address = address;
    tell(thread, frame, address, signal);
    signal_exception(signal, code_of(thread, frame->vector, address),
                     frame->vector == PAGE_FAULT ? address : frame->eip);
}

static void fault(const struct trap_frame* frame) {
    const uint32_t address = read_cr2();
    PROBE(PROBE_PAGE_FAULT, address);
    const int error = page_fault(this_memory(), address, frame->error & FAULT_WRITE);
    if (error == -ENOMEM) {
        printf("linux: out of memory: process %d is killed; raise memory.size_mb\n",
               this_thread()->process->id);
        process_end(SIGKILL);
    }
    if (error)
        raise(frame, address, error == -EIO ? SIGBUS : SIGSEGV);
    else if (frame->error & FAULT_PRESENT)
        flush_pages();  // the old translation
}

static void exception(struct trap_frame* frame) {
    if (frame->vector == PAGE_FAULT)
        fault(frame);
    else
        raise(frame, 0, signal_of(frame->vector));
    leave_to_user(frame);
}

void setup_faults(void) {
    on_user_exceptions(exception);
}
