// SPDX-License-Identifier: MIT
#pragma once

// How a turn acquires and releases the lock of this image. With LOCK_CALLED they are procedures,
// called out of line with two arguments on the stack; else they are inline. A procedure that does
// nothing has the same arguments: a loop with calls of it shows what loop and calls take.

#include <stdbool.h>

#include "lock.h"

// noipa: gcc passes arguments as for an unknown function, and knows nothing of what it changes.
#define TURN_PROCEDURE static __attribute__((noipa, unused))
#define TURN_INLINE static inline __attribute__((always_inline))

TURN_PROCEDURE void called_acquire(struct lock* lock, struct lock_slot* slot) {
    lock_acquire(lock, slot);
}

TURN_PROCEDURE void called_release(struct lock* lock, struct lock_slot* slot) {
    lock_release(lock, slot);
}

TURN_PROCEDURE void called_nothing(struct lock* lock, struct lock_slot* slot) {
    (void)lock;
    (void)slot;
}

TURN_INLINE void turn_acquire(struct lock* lock, struct lock_slot* slot) {
    if (LOCK_CALLED)
        called_acquire(lock, slot);
    else
        lock_acquire(lock, slot);
}

TURN_INLINE void turn_release(struct lock* lock, struct lock_slot* slot) {
    if (LOCK_CALLED)
        called_release(lock, slot);
    else
        lock_release(lock, slot);
}

// What remains of an acquisition or release if the lock does nothing.
TURN_INLINE void turn_nothing(struct lock* lock, struct lock_slot* slot) {
    if (LOCK_CALLED) called_nothing(lock, slot);
}
