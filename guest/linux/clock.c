// SPDX-License-Identifier: MIT

// Time, and what is to happen at a time. The board's clock has 32 bits, and is read far more often
// than it wraps around.

#include "symsim.h"
#include "thread.h"

static struct spinlock clock_lock;
static uint32_t last, wraps;

uint64_t now_us(void) {
    spinlock_acquire(&clock_lock);
    const uint32_t now = clock_us();
    if (now < last) wraps++;
    last = now;
    const uint64_t time = (uint64_t)wraps << 32 | now;
    spinlock_release(&clock_lock);
    return time;
}

static struct spinlock timers_lock;
static struct timer* timers;  // the earliest first

static void insert(struct timer* timer) {
    struct timer** place = &timers;
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
        struct timer** place = &timers;
        while (*place != timer) place = &(*place)->next;
        *place = timer->next;
        timer->set = false;
    }
    spinlock_release(&timers_lock);
}

void expire_timers(void) {
    if (*(struct timer* volatile*)&timers == NULL) return;
    const uint64_t now = now_us();
    spinlock_acquire(&timers_lock);
    while (timers != NULL && timers->at <= now) {
        struct timer* timer = timers;
        timers = timer->next;
        timer->set = false;
        timer->fire(timer);
        if (timer->period == 0) continue;
        timer->at += timer->period;
        insert(timer);
    }
    spinlock_release(&timers_lock);
}

uint64_t first_timer(void) {
    if (*(struct timer* volatile*)&timers == NULL) return NEVER;
    spinlock_acquire(&timers_lock);
    const uint64_t at = timers != NULL ? timers->at : NEVER;
    spinlock_release(&timers_lock);
    return at;
}
