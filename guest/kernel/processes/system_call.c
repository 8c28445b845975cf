// SPDX-License-Identifier: MIT

// System calls. Nothing that a process passes is trusted.

#include "kernel/system_call.h"

#include "processes.h"

static uint32_t answer_call(const struct space* space, const struct trap_frame* frame) {
    const uint32_t first = frame->ebx, second = frame->ecx, third = frame->edx;
    volatile unsigned* word;
    switch (frame->eax) {
        case CALL_SPAWN:
            return (uint32_t)process_create(first, second, (int)third);
        case CALL_EXIT:
            process_end((int)first);
        case CALL_WAIT:
            return (uint32_t)process_await((int)first);
        case CALL_YIELD:
            yield_processor();
            return 0;
        case CALL_SLEEP:
            word = user_word(space, first);
            return word != NULL && sleep_on(word, second);
        case CALL_WAKE:
            word = user_word(space, first);
            return word != NULL ? wake_sleepers(word, second) : 0;
        case CALL_WRITE:
            return (uint32_t)user_write(space, first, second, third);
        case CALL_STOP:
            *(volatile uint32_t*)POWER_OFF = first;
            return 0;
        default:
            return (uint32_t)-1;
    }
}

static void system_call(struct trap_frame* frame) {
    frame->eax = answer_call(this_processor()->current->space, frame);
}

void setup_system_calls(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
}
