// SPDX-License-Identifier: MIT

// An object with a count of references; the last to drop its reference gives the object back. Each
// processor has one. (Count: G. Collins, "A Method for Overlapping and Erasure of Lists", CACM
// 3(12), 1960.)

#include "each.h"

static struct object {
    LINE_ALIGNED volatile unsigned value;
    volatile unsigned freed;
} objects[1] = {{1, 0}};
CHECKED_OBJECTS(objects);

static struct word references;
static struct { LINE_ALIGNED unsigned value; } seen[MAX_PROCESSORS];

static bool drop(void) {
    bool last;
    __asm__ volatile("lock decl %1" : "=@ccz"(last), "+m"(references.word) : : "memory");
    return last;
}

static void each(unsigned cpu) {
    __asm__ volatile("lock incl %0" : "+m"(references.word) : : "memory", "cc");
    barrier();  // all have a reference
    seen[cpu].value = objects[0].value;
    if (drop()) {
        objects[0].freed = objects[0].freed + 1;
        MEMORY_FREE(objects);
        objects[0].value = 0;
    }
}

static bool check(void) {
    for (unsigned i = 0; i < processors(); i++)
        if (seen[i].value != 1) return false;
    return objects[0].freed == 1;
}
