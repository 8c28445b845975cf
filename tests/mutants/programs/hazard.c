// SPDX-License-Identifier: MIT

// Hazard pointers: M. Michael, "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects",
// IEEE TPDS 15(6), 2004. A reader announces the object that it is about to use, and looks again
// whether it is still the current one. Processor 0 replaces the object, and gives the old one back
// when nobody announces it.

#include "each.h"

#define OBJECTS 2

static struct object {
    LINE_ALIGNED volatile unsigned value;
} objects[OBJECTS + 1] = {[1] = {1}, [2] = {2}};
CHECKED_OBJECTS(objects);

static struct word current = {1};
static struct word hazard[MAX_PROCESSORS];  // number of the announced object; 0: none

static void read(unsigned cpu) {
    unsigned number;
    do {
        number = current.word;
        exchange_word(&hazard[cpu].word, number);  // before the load that follows
    } while (current.word != number);
    if (objects[number].value != number) panic("object %u is used after it was given back", number);
    hazard[cpu].word = 0;
}

static void replace(void) {
    exchange_word(&current.word, 2);
    for (unsigned i = 1; i < processors(); i++)
        while (hazard[i].word == 1) {
        }
    MEMORY_FREE(&objects[1]);
    objects[1].value = 0;
}

// The second read has its code in the cache: a load that misses does not overtake a store.
static void each(unsigned cpu) {
    if (cpu == 0)
        replace();
    else
        for (unsigned i = 0; i < 2; i++) read(cpu);
}

static bool check(void) {
    return current.word == 2;
}
