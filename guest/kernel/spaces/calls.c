// SPDX-License-Identifier: MIT

// System calls of spaces. Nothing that a program passes is trusted.

#include "kernel/system_call.h"
#include "lrpc.h"
#include "message.h"
#include "threads.h"

// Those that only a dispatcher can make, which has the processor: a kernel thread is only lent it.
static void of_dispatcher(struct trap_frame* frame) {
    if (this_processor()->thread != NULL)
        frame->eax = (uint32_t)-1;
    else if (frame->eax == CALL_DONATE)
        donate_processor(frame, (int)frame->ebx);
    else
        threads_serve(frame);
}

// Those that only a kernel thread can make.
static void of_thread(struct trap_frame* frame) {
    const uint32_t first = frame->ebx, second = frame->ecx, third = frame->edx;
    switch (frame->eax) {
        case CALL_THREAD_EXIT:
            thread_exit(frame);
            break;
        case CALL_THREAD_JOIN:
            thread_join(frame, (int)first);
            break;
        case CALL_THREAD_YIELD:
            thread_yield(frame);
            break;
        case CALL_THREAD_BLOCK:
            thread_block(frame);
            break;
        case CALL_THREAD_SELF:
            frame->eax = (uint32_t)thread_id(this_processor()->thread);
            break;
        case CALL_LRPC_CALL:
            lrpc_call(frame, first, second, third);
            break;
        case CALL_LRPC_RETURN:
            lrpc_return(frame, 0);
            break;
        case CALL_MESSAGE_CALL:
            message_call(frame, (int)first, second, third);
            break;
        case CALL_MESSAGE_RECEIVE:
            message_receive(frame, first);
            break;
        case CALL_MESSAGE_REPLY:
            frame->eax = (uint32_t)message_reply(first, second);
            break;
        default:
            frame->eax = (uint32_t)-1;
    }
}

// Kernel threads, and what is between spaces.
static void thread_call(struct trap_frame* frame, struct user_space* space) {
    const uint32_t first = frame->ebx, second = frame->ecx, third = frame->edx;
    switch (frame->eax) {
        case CALL_THREAD_FORK:
            frame->eax = (uint32_t)thread_fork(space, first, second, third);
            break;
        case CALL_THREAD_SIGNAL:
            frame->eax = (uint32_t)thread_signal((int)first);
            break;
        case CALL_LRPC_EXPORT:
            frame->eax = (uint32_t)lrpc_export(space, first, second);
            break;
        case CALL_LRPC_BIND:
            frame->eax = (uint32_t)lrpc_bind(space, (int)first);
            break;
        case CALL_LRPC_ARGUMENTS:
            frame->eax = lrpc_arguments(space, first);
            break;
        default:
            if (this_processor()->thread != NULL)
                of_thread(frame);
            else
                frame->eax = (uint32_t)-1;
    }
}

// May give the processor away: then the frame is that of an upcall.
static void system_call(struct trap_frame* frame) {
    struct user_space* space = this_processor()->space;
    const uint32_t first = frame->ebx, second = frame->ecx, third = frame->edx;
    switch (frame->eax) {
        case CALL_DONATE:
        case CALL_THREADS_SERVE:
            of_dispatcher(frame);
            break;
        case CALL_STOP:
            space_end(frame, (int)first);
            break;
        case CALL_WRITE:
            frame->eax = (uint32_t)user_write(space->pages, first, second, third);
            break;
        case CALL_SHARE:
            frame->eax = share_memory(space, (int)first, second, third);
            break;
        case CALL_SERVE:
            space_only_serves(space);
            frame->eax = 0;
            break;
        case CALL_NOTHING:
            frame->eax = 0;
            break;
        default:
            thread_call(frame, space);
    }
}

static void nothing(struct trap_frame* frame) {
    (void)frame;
}

void setup_calls(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
    on_interrupt(NOTHING_VECTOR, nothing);
    allow_user_interrupt(NOTHING_VECTOR);
}
