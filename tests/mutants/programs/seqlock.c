// SPDX-License-Identifier: MIT

// A sequence lock: readers repeat if a writer was at work (C. Lameter, "Effective Synchronization
// on Linux/NUMA Systems", Gelato 2005; before it, L. Lamport, "Concurrent Reading and Writing",
// CACM 20(11), 1977). Processor 0 writes, the others read: the two words must be of one version.

#include "each.h"

#define VERSIONS 3

static struct word sequence;  // odd while the words are written
static struct word first, second;

static void write(unsigned version) {
    sequence.word = sequence.word + 1;
    first.word = version;
    second.word = version;
    sequence.word = sequence.word + 1;
}

static void read(void) {
    unsigned before, a, b;
    do {
        before = sequence.word;
        a = first.word;
        b = second.word;
    } while (before % 2 != 0 || sequence.word != before);
    if (a != b) panic("versions %u and %u", a, b);
}

static void each(unsigned cpu) {
    for (unsigned i = 1; i <= VERSIONS; i++)
        if (cpu == 0)
            write(i);
        else
            read();
}

static bool check(void) {
    return second.word == VERSIONS;
}
