// SPDX-License-Identifier: MIT

// A free list without a lock: R. Treiber, "Systems Programming: Coping with Parallelism", IBM
// RJ 5118, 1986. The head is a node's number, from 1, and a count of changes, which keeps a stale
// compare-and-swap from succeeding (the ABA problem: IBM System/370 Principles of Operation, 1983).
//
// Each processor takes nodes and gives them back. A node that two processors have, or that is in
// the list twice, or lost, fails the check.

#include "atomic486.h"
#include "each.h"

#define NODES 3
#define COUNTED 0x100  // one change in the head's count

static struct node {
    LINE_ALIGNED volatile unsigned next;  // number of the next node; 0: none
    volatile unsigned owner;
} nodes[NODES + 1] = {[1].next = 2, [2].next = 3};
static struct word head = {1};

static unsigned take(void) {
    for (;;) {
        unsigned old = head.word, number = old % COUNTED;
        if (number == 0) return 0;
        unsigned next = nodes[number].next;
        if (compare_exchange_word(&head.word, old, old - number + COUNTED + next)) return number;
    }
}

static void put(unsigned number) {
    unsigned old;
    do {
        old = head.word;
        nodes[number].next = old % COUNTED;
    } while (!compare_exchange_word(&head.word, old, old - old % COUNTED + COUNTED + number));
}

static void own(unsigned number, unsigned cpu) {
    if (number == 0) return;
    if (nodes[number].owner != 0) panic("processor %u took a node that is not free", cpu);
    nodes[number].owner = cpu + 1;
}

static void give(unsigned number) {
    if (number == 0) return;
    nodes[number].owner = 0;
    put(number);
}

// Two are taken, and come back in the other order: the first is the head again, with another next.
static void each(unsigned cpu) {
    unsigned first = take();
    own(first, cpu);
    unsigned second = take();
    own(second, cpu);
    give(first);
    unsigned third = take();
    own(third, cpu);
    give(second);
    give(third);
}

static bool check(void) {
    unsigned count = 0;
    for (unsigned number = head.word % COUNTED; number != 0 && count <= NODES; count++)
        number = nodes[number].next;
    return count == NODES;
}
