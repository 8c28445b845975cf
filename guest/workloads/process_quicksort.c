// SPDX-License-Identifier: MIT

// Quicksort by the workers of process_load.h (Wisniewski, Kontothanassis and Scott 1993, section
// 4.4). Parts that wait to be sorted are on a stack, which one lock guards. A worker takes a part,
// puts the upper half back as long as the part is longer than the grain, and sorts the rest alone.
//
// Arguments   those of process_load.h, and
//             size       random numbers to sort; default 50000
//             grain      parts up to this length are not split further; default 10
//             program    if given, must be quicksort
//             lock       if given, must be the lock this image is built with
// Results     those of process_load.h, and
//             tasks      parts that were taken from the stack
// Checks      the result is that of qsort() with a copy of the numbers
//
// A worker that finds the stack empty reads it in its cache until it changes.

#include "process_load.h"
#include "quicksort.h"
#include "stdlib.h"

static struct lock stack_lock = LOCK_INIT;

static unsigned count, grain;
static struct part all;

// The parts that wait, and the numbers that are not sorted yet. There are fewer parts than numbers,
// for no part is empty.
static struct {
    LINE_ALIGNED volatile unsigned depth;
    volatile unsigned unsorted;
    unsigned tasks;
    struct part* parts;
} stack;

static struct { LINE_ALIGNED struct lock_slot slot; } workers[MAX_PROCESSORS];

static void put(struct lock_slot* slot, struct part part) {
    lock_acquire(&stack_lock, slot);
    stack.parts[stack.depth] = part;
    stack.depth++;
    lock_release(&stack_lock, slot);
}

// Reports `sorted` numbers as done and takes a part. False if none waits.
static bool take(struct lock_slot* slot, unsigned sorted, struct part* part) {
    lock_acquire(&stack_lock, slot);
    stack.unsorted -= sorted;
    bool taken = stack.depth != 0;
    if (taken) {
        stack.depth--;
        *part = stack.parts[stack.depth];
        stack.tasks++;
    }
    lock_release(&stack_lock, slot);
    return taken;
}

static void work(unsigned worker) {
    struct lock_slot* slot = &workers[worker].slot;
    unsigned sorted = 0;
    for (;;) {
        struct part part;
        bool taken = take(slot, sorted, &part);
        sorted = 0;
        if (taken) {
            while (length(part) > grain) put(slot, split(&part));
            sorted = length(part);
            sort_alone(part);
        } else {
            while (stack.depth == 0)
                if (stack.unsorted == 0) return;
        }
    }
}

static int ascending(const void* a, const void* b) {
    unsigned left = *(const unsigned*)a, right = *(const unsigned*)b;
    return left < right ? -1 : left > right;
}

static bool check(unsigned* expected) {
    qsort(expected, count, sizeof *expected, ascending);
    for (unsigned i = 0; i < count; i++)
        if (all.first[i] != expected[i]) {
            printf("number %u is %u and should be %u\n", i, all.first[i], expected[i]);
            return false;
        }
    return true;
}

int main(void) {
    load_setup();
    check_image_argument("program", "quicksort");
    count = arg_unsigned("size", 50000);
    grain = arg_unsigned("grain", 10);
    if (count == 0 || grain == 0) panic("size and grain must be at least 1");
    all.first = malloc(count * sizeof(unsigned));
    unsigned* copy = malloc(count * sizeof(unsigned));
    stack.parts = malloc(count * sizeof(struct part));
    if (all.first == NULL || copy == NULL || stack.parts == NULL)
        panic("no memory for %u numbers", count);
    all.end = all.first + count;
    for (unsigned i = 0; i < count; i++) copy[i] = all.first[i] = random_next();

    stack.parts[0] = all;
    stack.depth = 1;
    stack.unsorted = count;
    load_run(work);
    report("tasks", stack.tasks);
    return check(copy) ? 0 : 1;
}
