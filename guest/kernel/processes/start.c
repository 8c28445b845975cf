// SPDX-License-Identifier: MIT

// From the boot to process 0. The program is linked so that the boot code calls __wrap_main instead
// of main (flags.txt).

#include "processes.h"

int main(int count, char** arguments);
int __wrap_main(int count, char** arguments);
int __real_main(int count, char** arguments);

// Process 0. When main is done, so is the run.
static void run_main(void* unused) {
    (void)unused;
    static char* arguments[] = {"symsim", NULL};
    exit(__real_main(1, arguments));
}

int __wrap_main(int count, char** arguments) {
    (void)count, (void)arguments;
    setup_memory();
    setup_processes();
    setup_system_calls();
    setup_faults();
    setup_quanta();
    process_create((uintptr_t)run_main, 0, 0);
    run_tasks();
}
