// SPDX-License-Identifier: MIT

// The side of ring 3: system calls, the shared page, and how a process begins and ends.

#include "process.h"

#include "kernel/system_call.h"
#include "user.h"

// The kernel starts a process here, with function and argument in eax and edx.
__attribute__((regparm(2))) _Noreturn void process_main(process_function* function,
                                                        void* argument) {
    function(argument);
    process_exit(0);
}

int process_spawn(process_function* function, void* argument, int processor) {
    return (int)system_call(CALL_SPAWN, (uintptr_t)function, (uintptr_t)argument,
                            (uint32_t)processor);
}

_Noreturn void process_exit(int status) {
    for (;;) system_call(CALL_EXIT, (uint32_t)status, 0, 0);
}

int process_wait(int process) {
    return (int)system_call(CALL_WAIT, (uint32_t)process, 0, 0);
}

void process_yield(void) {
    system_call(CALL_YIELD, 0, 0, 0);
}

bool process_sleep(volatile unsigned* word, unsigned value) {
    return system_call(CALL_SLEEP, (uintptr_t)word, value, 0) != 0;
}

unsigned process_wake(volatile unsigned* word, unsigned count) {
    return system_call(CALL_WAKE, (uintptr_t)word, count, 0);
}
