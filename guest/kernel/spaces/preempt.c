// SPDX-License-Identifier: MIT

// Preemption: a space cannot keep a processor to which another one has a claim,
//
//   - because it has lent it (the chain of processors.c),
//   - because it is preempted on it, or
//   - because it has had no processor for some quanta, or never: it may have a message that nobody
//     sees to, or a thread that waits for a limited time.
//
// The timer ticks once a quantum, wherever the processor is. A claim is met when it stands at two
// ticks and the space has not had the processor in between: so after one to two quanta, for each
// further claim one more. A space cannot evade that by moving the processor about. A move does not
// touch the timer.
//
// Kernel threads (schedule.c) take turns on a processor, a quantum each.

#include "threads.h"

#include "kernel/shared/timer.h"

// In units of the timer. Moving a processor takes some 300 us, in which the timer continues, so a
// quantum is longer.
#define QUANTUM_LEAST 10
static unsigned quantum;  // 0: no preemption

#define PATIENCE 4         // quanta in which a space has no processor
static unsigned patience;  // the same in ticks of all processors

static unsigned claims_to(const struct processor* here) {
    unsigned claims = here->info->preempted;
    int lender = here->space->number;
    while ((lender = here->info->given_by[lender]) != NO_SPACE) claims |= 1u << lender;
    if (*information_absent() == 0) return claims;
    for (unsigned i = 0; i < user_spaces_number; i++) {
        const struct space_info* info = information_of((int)i);
        if (info->state == SPACE_ENDED)
            claims &= ~(1u << i);
        else if (info->processors == 0 && information_absent_ticks((int)i) > patience)
            claims |= 1u << i;
    }
    return claims;
}

// The first one in turn after the one that was served last.
static struct user_space* in_turn(struct processor* here, unsigned claims) {
    do here->served = (here->served + 1) % user_spaces_number;
    while ((claims >> here->served & 1) == 0);
    return &user_spaces[here->served];
}

static void preempt_space(struct processor* here, struct trap_frame* frame, struct user_space* to) {
    PROBE(PROBE_PROCESS_PREEMPT, number_in(here, here->space));
    information_preempted(here->space);
    context_save(context_here(here), frame);
    here->info->preempted |= bit_of(here->space);
    lend_processor(here, frame, to, UPCALL_TAKEN);
}

// Under a lock, so that not all processors go to the same new space.
static void meet_claim(struct processor* here, struct trap_frame* frame) {
    static struct spinlock claims_lock;
    spinlock_acquire(&claims_lock);
    const unsigned due = claims_to(here) & here->waiting;
    if (due != 0) preempt_space(here, frame, in_turn(here, due));
    spinlock_release(&claims_lock);
}

static void tick_interrupt(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (here->space->ended) {
        processor_moves_on(frame);
        return;
    }
    if (here->thread != NULL) {
        preempt_thread(frame);
        return;
    }
    information_tick();
    unsigned claims = claims_to(here);
    if ((claims & here->waiting) != 0) {
        meet_claim(here, frame);
        claims = claims_to(here);
    }
    here->waiting = claims;
}

void begin_preemption(void) {
    if (quantum != 0) timer_start(quantum);
}

void setup_preemption(void) {
    if (arg_unsigned("quantum_us", 1) != 0)
        quantum = timer_units("quantum_us", 20000, QUANTUM_LEAST);
    patience = PATIENCE * processors();
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick_interrupt);
}
