// SPDX-License-Identifier: MIT

// The policy: a thread runs until the processor's timer finds another one in its run queue. The
// timer is not restarted for each turn; it fires every quantum, or when something is due before.

#include "kernel/shared/timer.h"
#include "symsim.h"
#include "thread.h"

#define KICK_BIN 1

static unsigned quantum;  // in units of the timer

// Of each processor; no other one looks at it.
static struct turn {
    LINE_ALIGNED bool ready;  // it takes kicks
    unsigned count;           // with which its timer runs; 0: it does not
    struct thread* dead;      // it has ended, and was still on its stack
} turns[MAX_PROCESSORS];

void kick(unsigned processor) {
    while (!slic_send(SLIC_PROCESSOR(processor), KICK_BIN, 0)) answer_flush();
}

unsigned quantum_us(void) {
    return quantum * TIMER_US;
}

static void set_timer(struct turn* turn, unsigned count) {
    if (turn->count == count) return;
    turn->count = count;
    if (count == 0)
        timer_stop();
    else
        timer_start(count);
}

// `most`, or what is left until something is due.
static unsigned count_until_due(unsigned most) {
    const uint64_t at = first_timer();
    if (at == NEVER) return most;
    const uint64_t now = now_us();
    const uint64_t left = at > now ? (at - now + TIMER_US - 1) / TIMER_US : 1;
    if (most == 0) most = TIMER_MOST;
    return left < most ? (unsigned)left : most;
}

static struct turn* begin(const struct processor* here) {
    struct turn* turn = &turns[here->number];
    if (!turn->ready) slic_mask(1 << SLIC_CLOCK_BIN | 1 << KICK_BIN | 1);
    turn->ready = true;
    if (turn->dead != NULL) thread_free(turn->dead);
    turn->dead = NULL;
    return turn;
}

void policy_begin_turn(struct processor* here, struct task* task) {
    struct turn* turn = begin(here);
    struct thread* thread = (struct thread*)task;
    tls_load(thread);
    thread->began_us = now_us();
    set_timer(turn, count_until_due(quantum));
}

void policy_end_turn(struct task* task) {
    struct thread* thread = (struct thread*)task;
    const uint64_t now = now_us();
    thread->ran_us += now - thread->began_us;
    thread->began_us = now;
    if (task->ended) turns[read_register(BOARD_PROCESSOR)].dead = thread;
}

// No processor keeps the space of a process that it does not run.
void policy_no_turn(void) {
    struct processor* here = this_processor();
    struct turn* turn = begin(here);
    if (here->space != kernel_space) {
        use_space(kernel_space);
        here->space = kernel_space;
    }
    set_timer(turn, count_until_due(0));
}

static void timer_interrupt(struct trap_frame* frame) {
    struct processor* here = this_processor();
    struct thread* thread = (struct thread*)here->current;
    expire_timers(thread != NULL ? thread->process : NULL);
    if (thread == NULL) {  // it may not fire again before this processor looks for a thread
        set_timer(&turns[here->number], count_until_due(0));
        return;
    }
    if (run_queue_has(here->number))
        requeue_task();
    else
        set_timer(&turns[here->number], count_until_due(quantum));
    leave_to_user(frame);
}

static void kick_interrupt(struct trap_frame* frame) {
    answer_flush();
    if (!from_user(frame)) return;
    leave_processor();
    leave_to_user(frame);
}

void setup_turns(void) {
    quantum = timer_units("quantum_us", 10000, 1);
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, timer_interrupt);
    on_interrupt(SLIC_VECTORS + KICK_BIN, kick_interrupt);
}
