// SPDX-License-Identifier: MIT

// Which task runs. Each processor has a scheduler on its boot stack. A task that stops running
// switches to it; only then may another processor run the task.

#include "descriptors.h"
#include "kernel.h"
#include "lib/kernel.h"
#include "symsim.h"
#include "task.h"

struct processor kernel_processors[MAX_PROCESSORS];

static void switch_space(struct processor* here, struct space* space) {
    if (here->space == space) return;
    here->space = space;
    use_space(space);
}

// Returns when the task has left its stack.
static void run_task(struct processor* here, struct task* task) {
    here->current = task;
    task->last = (int)here->number;
    this_task_state()->inner[0].esp = (uintptr_t)task->kernel_stack + PAGE_BYTES;
    switch_space(here, task->space);
    enter_fpu(task);
    policy_begin_turn(here, task);
    PROBE(PROBE_PROCESS_RUN, task->number);
    switch_stacks(&here->scheduler, task->context);
    here->current = NULL;
}

// What is left to do for a task that is off its stack.
static void settle_task(struct processor* here, struct task* task) {
    leave_fpu(task);
    if (task->ended) return;
    if (here->to_release != NULL) {
        struct spinlock* lock = here->to_release;
        here->to_release = NULL;
        spinlock_release(lock);  // from here on it can be woken, and run elsewhere
    } else {
        make_ready(task);
    }
}

// A processor sets `idle` before it looks at the queues for the last time; who makes a task ready
// adds it to a queue before it looks at `idle`. Both make their stores visible in between
// (ordering.h rule 4), so one of them sees the other.
static struct task* wait_for_task(struct processor* here) {
    policy_no_turn();
    exchange_byte(&here->idle, 1);
    struct task* task = run_queue_take(here->number);
    if (task == NULL) sleep_until_interrupt();
    here->idle = 0;
    return task;
}

static _Noreturn void schedule(struct processor* here) {
    for (;;) {
        struct task* task = run_queue_take(here->number);
        if (task == NULL) task = wait_for_task(here);
        if (task == NULL) continue;
        run_task(here, task);
        settle_task(here, task);
    }
}

// On each processor, on its boot stack.
static void start_processor(unsigned number, void* unused) {
    (void)unused;
    struct processor* here = &kernel_processors[number];
    here->number = number;
    descriptors_load();
    here->space = kernel_space;
    enter_kernel();
    setup_fpu();
    schedule(here);
}

// From another processor, which has made a task ready. The scheduler looks into its queue after
// each interrupt.
static void reschedule_interrupt(struct trap_frame* frame) {
    (void)frame;
    take_reschedule();
}

_Noreturn void run_tasks(void) {
    on_interrupt(SLIC_VECTORS, reschedule_interrupt);
    close_user_return();
    run_on_all(start_processor, NULL);
    for (;;) {  // not reached
    }
}

void prepare_task(struct task* task, uintptr_t function, uintptr_t stack, uint32_t first,
                  uint32_t second) {
    struct trap_frame* frame = (struct trap_frame*)(task->kernel_stack + PAGE_BYTES) - 1;
    begin_frame(frame, function, stack, first, second);
    uintptr_t* top = (uintptr_t*)frame;
    *--top = (uintptr_t)task_begin;
    task->context = top - 6;  // registers for switch_stacks, all 0
}

// Wakes a processor if it is idle. Of several who want to, one does.
static bool wake_processor(unsigned processor) {
    struct processor* other = &kernel_processors[processor];
    return other->idle && exchange_byte(&other->idle, 0) && reschedule(processor);
}

// The task goes to the queue of the processor that ran it last, whose cache it knows. If that is
// busy, and the task is not bound, one that is idle steals it.
void make_ready(struct task* task) {
    const unsigned home = KERNEL_HOME(task);
    const bool bound = task->bound != UNBOUND;
    run_queue_add(task, home);
    if (bound && home == read_register(BOARD_PROCESSOR)) return;
    stores_before_loads();
    if (wake_processor(home) || bound) return;
    for (unsigned i = 0; i < processors(); i++)
        if (KERNEL_MAY_RUN(task, i) && wake_processor(i)) return;
}

// The current task stops running: continues in the scheduler of its processor, `here`. Returns when
// the task runs again, perhaps on another one.
static void leave_stack(const struct processor* here) {
    struct task* task = here->current;
    policy_end_turn(task);
    switch_stacks(&task->context, here->scheduler);
}

void requeue_task(void) {
    spinlock_check_count(0, __func__);
    leave_stack(this_processor());
}

void block_task(struct spinlock* lock) {
    spinlock_check_held(lock, __func__);
    spinlock_check_count(1, __func__);
    struct processor* here = this_processor();
    here->to_release = lock;
    PROBE(PROBE_PROCESS_BLOCK, here->current->number);
    leave_stack(here);
}

_Noreturn void retire_task(void) {
    spinlock_check_count(0, __func__);
    const struct processor* here = this_processor();
    const int number = here->current->number;
    PROBE(PROBE_PROCESS_EXIT, number);
    leave_stack(here);
    panic("process %d runs after its end", number);
}
