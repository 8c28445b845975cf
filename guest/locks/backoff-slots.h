// SPDX-License-Identifier: MIT
#pragma once

// Backoff after a release as in backoff.h, with delays in slots of 1 us; mean at most one slot per
// processor: slots.h.

#define LOCK_NAME "backoff-slots"

#include "slots.h"

#include "delay.h"
#include "word.h"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    delay_until_taken(&lock->word);
}
