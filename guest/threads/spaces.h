// SPDX-License-Identifier: MIT

// Start of the package in an address space, a part of threads.c. The kernel brings processors by
// upcalls, and main() is the first thread. A processor leaves when it has nothing to do
// (urpc/idle.h), and comes back by another upcall, on the same stack from its beginning.

#include "kernel/spaces/program.h"
#include "kernel/spaces/user/user_space.h"
#include "lib/internal.h"
#include "urpc/idle.h"

int main(int count, char** arguments);

static void run_main(void* unused) {
    (void)unused;
    static char* arguments[] = {"symsim", NULL};
    exit(main(1, arguments));
}

// One processor sets the space up, the others wait for it.
static void setup_once(void) {
    static struct { LINE_ALIGNED volatile unsigned char byte; } begun;
    static struct { LINE_ALIGNED volatile bool word; } done;
    if (exchange_byte(&begun.byte, 1) == 0) {
        strategy_setup(processors());
        thread_create(run_main, NULL);
        done.word = true;
    }
    while (!done.word) {
    }
    compiler_barrier();
}

// The processor's data; its fields are set before anybody calls this_processor().
static void first_visit(struct processor* processor, unsigned number) {
    processor->cpu = cpu_of(number);
    processor->cpu->number = number;
    processor->cpu->random = random_seed(arg_unsigned("seed", 0),
                                         (unsigned)(space_self() + 1) * MAX_PROCESSORS + number);
    processor->self = processor;
}

THREADS_FUNCTION THREAD_CALL void thread_event_wait(struct thread_event* event) {
    if (event->state == EVENT_POSTED) return;
    struct thread* self = this_processor()->current;
    event->thread = self;
    PROBE(PROBE_THREAD_BLOCK, self);
    thread_leave_for(self, event);
}

// Who has not blocked may continue as soon as the state is EVENT_POSTED, and the event be gone.
THREADS_FUNCTION THREAD_CALL void thread_event_post(struct thread_event* event) {
    if (exchange_byte(&event->state, EVENT_POSTED) == EVENT_AWAITED) strategy_ready(event->thread);
}

// Returns when a thread may be ready, or the event has been posted; or with the space to which the
// processor should go. Messages are received at low priority: if there is no thread to run.
IDLE_FUNCTION int threads_idle(const struct thread_event* event) {
    while (event->state != EVENT_POSTED && !strategy_has_ready()) {
        PROBE(PROBE_CALL_POLL, 0);
        if (urpc_poll() || urpc_quiet()) continue;
        const int space = urpc_look_around();
        if (space != NO_SPACE) return space;
    }
    return NO_SPACE;
}

// The dispatcher waits for no event.
static void spaces_idle(void) {
    static const struct thread_event none = {EVENT_OPEN, NULL};
    const int space = threads_idle(&none);
    if (space != NO_SPACE) processor_donate(space);
}

static __attribute__((regparm(3))) void threads_upcall(unsigned number, unsigned reason) {
    struct processor* processor = &thread_processors[number].processor;
    if (processor->self == NULL) first_visit(processor, number);
    visits[number].reason = reason;
    setup_once();
    dispatch();
}

// Where the boot code of a program without a kernel has its stacks; here those of the upcalls.
char symsim_stacks[MAX_PROCESSORS * STACK_BYTES]
    __attribute__((section(".stacks,\"aw\",@nobits#"), aligned(STACK_BYTES)));
extern char symsim_boot_args[];

const struct space_program space_program = {
    .upcall = threads_upcall,
    .stacks = symsim_stacks,
    .own = thread_processors,
    .own_bytes = sizeof thread_processors[0],
    .arguments = symsim_boot_args,
    .given = &space_given,
};
