// SPDX-License-Identifier: MIT

// From the boot to each processor's first upcall. To the boot code this kernel is a program.

#include "lrpc.h"

#include "descriptors.h"
#include "lib/kernel.h"
#include "slic.h"

#define MAX_VISITS 254  // to the simulator a processor in a space is a process, see processors.c

// Which space has each processor first: space 0 the first ones, as many as the argument
// processors_NAME says, and so on. Without arguments they are dealt out in turn.
static struct user_space* first_space[MAX_PROCESSORS];

static void allot_processors(void) {
    char name[sizeof "processors_" + SPACE_NAME_BYTES];
    unsigned next = 0;
    bool given = false;
    for (unsigned i = 0; i < user_spaces_number; i++) {
        snprintf(name, sizeof name, "processors_%s", user_spaces[i].image->name);
        given |= arg_string(name, NULL) != NULL;
        for (unsigned left = arg_unsigned(name, 0); left > 0; left--) {
            if (next == processors())
                panic("argument %s: the machine has only %u processors", name, processors());
            first_space[next++] = &user_spaces[i];
        }
    }
    if (given && next == 0) panic("no space gets a processor by the arguments processors_NAME");
    for (unsigned i = 0; i < processors() && !given; i++)
        first_space[i] = &user_spaces[i % user_spaces_number];
}

static void start_processor(unsigned number, void* unused) {
    (void)unused;
    struct processor* here = &kernel_processors[number];
    here->number = number;
    descriptors_load();
    processors_setup(here);
    use_space(kernel_space);
    slic_mask(1 << SLIC_CLOCK_BIN | 1);
    while (first_space[number] == NULL) sleep_until_interrupt();
    preempt_begin();
    struct trap_frame frame;
    upcall(here, &frame, first_space[number], UPCALL_START);
    enter_user(&frame);
}

// The gate by which run_user() returns to ring 0 (lib/user.S) would let a program into the kernel.
static void close_user_return(void) {
    interrupt_table();
    set_gate(USER_RETURN, gate_descriptor(GATE_INTERRUPT, 0, KERNEL_CODE, 0, 0));
}

int main(void) {
    if (processors() * space_images_number > MAX_VISITS)
        panic("%u spaces on %u processors are more than %u visits", space_images_number,
              processors(), MAX_VISITS);
    memory_setup();
    spaces_setup();
    information_setup();
    calls_setup();
    faults_setup();
    fpu_setup();
    lrpc_setup();
    preempt_setup();
    on_interrupt(SLIC_VECTORS, ended_interrupt);
    close_user_return();
    allot_processors();
    for (unsigned i = 0; i < processors() * user_spaces_number; i++) PROBE(PROBE_PROCESS_CREATE, i);
    run_on_all(start_processor, NULL);
    return 1;  // not reached
}
