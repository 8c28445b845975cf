// SPDX-License-Identifier: MIT

// A ring buffer of one producer and one consumer, without a lock: L. Lamport, "Specifying
// Concurrent Program Modules", ACM TOPLAS 5(2), 1983. Processor 0 sends numbers, processor 1 adds
// them up.

#include "each.h"

#define PLACES 2
#define MESSAGES 4

static struct word places[PLACES];
static struct word sent, received;  // counts; each has one writer
static struct word sum;

static void send(unsigned message) {
    const unsigned number = sent.word;
    while (number - received.word == PLACES) {
    }
    places[number % PLACES].word = message;
    sent.word = number + 1;
}

static unsigned receive(void) {
    const unsigned number = received.word;
    while (sent.word == number) {
    }
    const unsigned message = places[number % PLACES].word;
    received.word = number + 1;
    return message;
}

static void each(unsigned cpu) {
    for (unsigned i = 1; i <= MESSAGES; i++)
        if (cpu == 0)
            send(i);
        else if (cpu == 1 && receive() != i)
            panic("message %u is lost", i);
    if (cpu == 1) sum.word = 1;
}

static bool check(void) {
    return sum.word == 1;
}
