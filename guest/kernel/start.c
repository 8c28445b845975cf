// SPDX-License-Identifier: MIT

// From the boot to the scheduler of each processor. The program is linked so that the boot code
// calls __wrap_main instead of main (kernel.cmake).

#include "descriptors.h"
#include "kernel.h"
#include "lib/kernel.h"
#include "slic.h"

int main(int count, char** arguments);
int __wrap_main(int count, char** arguments);
int __real_main(int count, char** arguments);

struct processor kernel_processors[MAX_PROCESSORS];

struct processor* this_processor(void) {
    return &kernel_processors[read_register(BOARD_PROCESSOR)];
}

// Process 0. When main is done, so is the run.
static void run_main(void* unused) {
    (void)unused;
    static char* arguments[] = {"symsim", NULL};
    exit(__real_main(1, arguments));
}

// An interrupt by which another processor says that it has made a process ready (schedule.c). The
// scheduler looks into its queue after each interrupt.
static void reschedule_interrupt(struct trap_frame* frame) {
    (void)frame;
    slic_software_bits();
}

// The gate by which run_user() returns to ring 0 (lib/user.S) would let a process into the kernel.
static void close_user_return(void) {
    interrupt_table();
    set_gate(USER_RETURN, gate_descriptor(GATE_INTERRUPT, 0, KERNEL_CODE, 0, 0));
}

static void start_processor(unsigned number, void* unused) {
    (void)unused;
    struct processor* here = &kernel_processors[number];
    here->number = number;
    descriptors_load();
    use_space(kernel_space);
    here->space = kernel_space;
    fpu_setup();
    slic_mask(1 << SLIC_CLOCK_BIN | 1);
    run_processes(here);
}

int __wrap_main(int count, char** arguments) {
    (void)count, (void)arguments;
    spaces_setup();
    processes_setup();
    quantum_setup();
    system_calls_setup();
    faults_setup();
    on_interrupt(SLIC_VECTORS, reschedule_interrupt);
    close_user_return();
    process_create((uintptr_t)run_main, 0, 0);
    run_on_all(start_processor, NULL);
    return 1;  // not reached
}
