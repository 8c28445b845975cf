// SPDX-License-Identifier: MIT

// How long running processes wait for a lock that nobody passes on. main watches, alone on
// processor 0: the longest time in which one process ran and waited, and nobody got the lock. If no
// process waits for one that does not run, that is some handoffs and interrupts, and no quantum:
// less than WAIT_MOST_US, if the build defines it. The kernel's extension must be longer than a
// release that passes over all others. Arguments: turns of each worker; level, workers for each 100
// of the other processors.

#include "lock.h"
#include "process.h"
#include "test.h"

static struct lock lock = LOCK_INIT;
static struct lock_slot slots[MAX_PROCESSES];
static volatile unsigned count, begun, turns_of[MAX_PROCESSES];
static volatile bool waiting[MAX_PROCESSES];
static unsigned turns;

static void work(void* unused) {
    (void)unused;
    const int self = process_self();
    while (!begun) process_sleep(&begun, 0);
    for (unsigned i = 0; i < turns; i++) {
        waiting[self] = true;
        lock_acquire(&lock, &slots[self]);
        waiting[self] = false;
        count++;
        lock_release(&lock, &slots[self]);
        turns_of[self]++;
        for (volatile unsigned n = random_below(100); n > 0; n--) {
        }
    }
}

// Since when a process has run and waited, and nobody has got the lock.
static struct wait {
    uint32_t since;
    unsigned count;
} waits[MAX_PROCESSES];

static uint32_t waited(int number) {
    struct wait* wait = &waits[number];
    const uint32_t now = clock_us();
    const unsigned seen = count;
    const bool waits_now = waiting[number] && context_blocks[number].state != PREEMPTED;
    if (!waits_now || seen != wait->count) *wait = (struct wait){now, seen};
    return now - wait->since;
}

static uint32_t longest_wait(int first, unsigned workers) {
    uint32_t longest = 0;
    bool all_done;
    do {
        all_done = true;
        for (unsigned i = 0; i < workers; i++) {
            const uint32_t one = waited(first + (int)i);
            if (one > longest) longest = one;
            if (turns_of[first + i] < turns) all_done = false;
        }
    } while (!all_done);
    return longest;
}

int main(void) {
    turns = arg_unsigned("turns", 50);
    const unsigned others = processors() - 1;
    const unsigned workers = arg_unsigned("level", 200) * others / 100;
    const int first = process_spawn(work, NULL, 1);
    for (unsigned i = 1; i < workers; i++)
        CHECK(process_spawn(work, NULL, (int)(1 + i % others)) > 0);
    begun = 1;
    process_wake(&begun, workers);
    const uint32_t longest = longest_wait(first, workers);
    CHECK_EQUAL(count, workers * turns);
    report("longest_wait_us", longest);
#ifdef WAIT_MOST_US
    CHECK(longest <= WAIT_MOST_US);
#endif
    return 0;
}
