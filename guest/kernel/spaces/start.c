// SPDX-License-Identifier: MIT

// From the boot to each processor's first upcall. To the boot code this kernel is a program.

#include "threads.h"

#include "descriptors.h"

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
    setup_processor(here);
    enter_kernel();
    while (first_space[number] == NULL) sleep_until_interrupt();
    begin_preemption();
    struct trap_frame frame;
    upcall(here, &frame, first_space[number], UPCALL_START);
    enter_user(&frame);
}

int main(void) {
    if (processors() * space_images_number > MAX_VISITS)
        panic("%u spaces on %u processors are more than %u visits", space_images_number,
              processors(), MAX_VISITS);
    setup_memory();
    setup_spaces();
    setup_information();
    setup_calls();
    setup_faults();
    setup_contexts();
    setup_scheduler();
    setup_preemption();
    setup_ends();
    close_user_return();
    allot_processors();
    for (unsigned i = 0; i < processors() * user_spaces_number; i++) PROBE(PROBE_PROCESS_CREATE, i);
    run_on_all(start_processor, NULL);
    return 1;  // not reached
}
