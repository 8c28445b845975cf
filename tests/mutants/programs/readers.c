// SPDX-License-Identifier: MIT

// A lock of readers and one writer in which each reader has a flag of its own ("big reader" locks;
// W. Hsieh and W. Weihl, "Scalable Reader-Writer Locks for Parallel Systems", IPPS 1992). A reader
// raises its flag, then looks for the writer; the writer raises its own, then looks at all readers.
// Processor 0 writes.

#include "each.h"

#define TURNS 2

static struct word reading[MAX_PROCESSORS];
static struct word writing;
static struct word first, second;

static void reader_enter(unsigned cpu) {
    for (;;) {
        exchange_word(&reading[cpu].word, 1);  // before the load that follows: ordering.h rule 4
        if (!writing.word) return;
        reading[cpu].word = 0;
        while (writing.word) {
        }
    }
}

static void writer_enter(void) {
    exchange_word(&writing.word, 1);
    for (unsigned i = 1; i < processors(); i++)
        while (reading[i].word) {
        }
}

static void each(unsigned cpu) {
    for (unsigned i = 1; i <= TURNS; i++)
        if (cpu == 0) {
            writer_enter();
            first.word = i;
            second.word = i;
            writing.word = 0;
        } else {
            reader_enter(cpu);
            const unsigned a = first.word, b = second.word;
            reading[cpu].word = 0;
            if (a != b) panic("a reader saw %u and %u", a, b);
        }
}

static bool check(void) {
    return second.word == TURNS;
}
