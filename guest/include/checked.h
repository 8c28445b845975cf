// SPDX-License-Identifier: MIT
#pragma once

// What a program declares for `symlab check`, in a line of its own beside the variable:
//
//     static struct lock lock = LOCK_INIT;
//     static struct { LINE_ALIGNED volatile unsigned value; } counter;
//     CHECKED_GUARDED(lock, counter);    // nobody may touch counter without holding lock
//
//     static struct place { struct lock_slot slot; char end; } places[4];
//     CHECKED_OBJECTS(places);           // elements are objects of MEMORY_FREE and MEMORY_USED
//     ...
//     MEMORY_USED(&places[i]);
//     ...
//     MEMORY_FREE(&places[i]);           // from here to MEMORY_USED only for its owner
//
// The owner of an object is the processor that passed its last MEMORY_USED or MEMORY_FREE. At the
// start of a run all objects are in use. As each probe, neither may be the last statement of a
// branch (probes.h).
//
// A declaration is a record in the section .symsim.checked, which is never loaded (boot/guest.ld):
// four words, little endian. It adds no code and no data.
//
//     kind                 begin     bytes   last word
//     CHECKED_KIND_GUARDED variable  size    address of the lock
//     CHECKED_KIND_OBJECTS array     size    bytes of an element

#include "probes.h"

#define CHECKED_KIND_GUARDED 1
#define CHECKED_KIND_OBJECTS 2

struct checked_record {
    unsigned kind;
    const volatile void* begin;
    unsigned bytes;
    const volatile void* last;
};
_Static_assert(sizeof(struct checked_record) == 16, "as the lab reads it");

#define CHECKED_JOIN_(a, b) a##b
#define CHECKED_JOIN(a, b) CHECKED_JOIN_(a, b)
#define CHECKED_RECORD(kind, variable, last)                                               \
    static const struct checked_record CHECKED_JOIN(checked_, __COUNTER__) __attribute__(( \
        used, section(".symsim.checked"))) = {kind, &(variable), sizeof(variable), last}

#define CHECKED_GUARDED(lock, data) CHECKED_RECORD(CHECKED_KIND_GUARDED, data, &(lock))
#define CHECKED_OBJECTS(array) \
    CHECKED_RECORD(CHECKED_KIND_OBJECTS, array, (const void*)sizeof((array)[0]))

// `object` is the address of the first byte of an element. Stores that the program makes before
// stay before, and those that it makes after stay after.
#define MEMORY_PROBE(kind, object) \
    __asm__ inline volatile(PROBE_RECORD(kind, "%[op]") : : [op] "ior"(object) : "memory")
#define MEMORY_FREE(object) MEMORY_PROBE(PROBE_MEMORY_FREE, object)
#define MEMORY_USED(object) MEMORY_PROBE(PROBE_MEMORY_USED, object)
