// SPDX-License-Identifier: MIT

// Time, and what is to happen at a time. The board's clock has 32 bits, and is read far more often
// than it wraps around.

#include "symsim.h"
#include "thread.h"

// The age of the machine when the kernel starts. Programs count on a clock beyond its first second.
#define BEGIN_US 10000000u

static struct spinlock clock_lock;
static volatile uint32_t
    halves;  // of the clock's range that are over; its last bit is the clock's first

uint64_t now_us(void) {
    for (;;) {
        const uint32_t known = halves, now = clock_us();
        if ((known & 1) == now >> 31) return BEGIN_US + ((uint64_t)(known >> 1) << 32 | now);
        spinlock_acquire(&clock_lock);
        if (halves == known) halves++;
        spinlock_release(&clock_lock);
    }
}

static struct spinlock timers_lock;
static struct timer* timers;  // of real time; the earliest first

static void insert(struct timer* timer) {
    struct timer** place = timer->list != NULL ? timer->list : &timers;
    while (*place != NULL && (*place)->at <= timer->at) place = &(*place)->next;
    timer->next = *place;
    timer->set = true;
    *place = timer;
}

void timer_add(struct timer* timer) {
    spinlock_acquire(&timers_lock);
    insert(timer);
    spinlock_release(&timers_lock);
}

void timer_remove(struct timer* timer) {
    if (!timer->set && timer->fire == NULL) return;  // never used
    spinlock_acquire(&timers_lock);
    if (timer->set) {
        struct timer** place = timer->list != NULL ? timer->list : &timers;
        while (*place != timer) place = &(*place)->next;
        *place = timer->next;
        timer->set = false;
    }
    spinlock_release(&timers_lock);
}

#define LEAST_PERIOD_US 4000  // so that a program continues, whose handler takes 2 ms on a 386

// Periods that are over already are counted, and make no call each.
static void expire(struct timer** list, uint64_t now) {
    spinlock_acquire(&timers_lock);
    while (*list != NULL && (*list)->at <= now) {
        struct timer* timer = *list;
        *list = timer->next;
        timer->set = false;
        if (timer->period != 0) {
            const uint64_t until = timer->period < LEAST_PERIOD_US ? now + LEAST_PERIOD_US : now;
            timer->missed = (uint32_t)((until - timer->at) / timer->period);
            timer->at += (timer->missed + 1ull) * timer->period;
            insert(timer);
        }
        timer->fire(timer);
    }
    spinlock_release(&timers_lock);
}

static bool is_empty(struct timer** list) {
    return *(struct timer* volatile*)list == NULL;
}

void expire_timers(struct process* process) {
    if (!is_empty(&timers)) expire(&timers, now_us());
    if (process != NULL && !is_empty(&process->cpu_timers))
        expire(&process->cpu_timers, process_ran_us(process, now_us()));
}

uint64_t first_timer(void) {
    if (is_empty(&timers)) return NEVER;
    spinlock_acquire(&timers_lock);
    const uint64_t at = timers != NULL ? timers->at : NEVER;
    spinlock_release(&timers_lock);
    return at;
}
