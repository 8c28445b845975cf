// SPDX-License-Identifier: MIT

// A queue with a lock at each end: M. Michael and M. Scott, "Simple, Fast, and Practical
// Non-Blocking and Blocking Concurrent Queue Algorithms", PODC 1996, section 3. A dummy node at the
// head keeps the two ends apart. Processor 0 puts items in, the others take them out.

#include "each.h"
#include "lock.h"

#define ITEMS 2
#define NODES (ITEMS + 1)

static struct node {
    LINE_ALIGNED volatile unsigned next;  // number of the next node; 0: none yet
    volatile unsigned value;
} nodes[NODES + 1];
CHECKED_OBJECTS(nodes);

static struct lock head_lock = LOCK_INIT, tail_lock = LOCK_INIT;
static struct word head = {1}, tail = {1};  // node 1 is the first dummy
static struct word taken;
CHECKED_GUARDED(head_lock, head);
CHECKED_GUARDED(tail_lock, tail);

static void put(unsigned number, unsigned value) {
    struct lock_slot slot;
    nodes[number].value = value;
    lock_acquire(&tail_lock, &slot);
    nodes[tail.word].next = number;
    tail.word = number;
    lock_release(&tail_lock, &slot);
}

// 0: the queue is empty.
static unsigned take(void) {
    struct lock_slot slot;
    lock_acquire(&head_lock, &slot);
    const unsigned dummy = head.word, first = nodes[dummy].next;
    unsigned value = 0;
    if (first != 0) {
        value = nodes[first].value;
        head.word = first;
        MEMORY_FREE(&nodes[dummy]);
        taken.word = taken.word + value;
    }
    lock_release(&head_lock, &slot);
    return value;
}

static void each(unsigned cpu) {
    for (unsigned i = 1; i <= ITEMS; i++)
        if (cpu == 0)
            put(i + 1, i);
        else
            take();
}

static bool check(void) {
    while (take() != 0) {
    }
    return taken.word == ITEMS * (ITEMS + 1) / 2;
}
