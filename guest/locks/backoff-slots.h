// SPDX-License-Identifier: MIT
#pragma once

// backoff.h with delays in slots of 1 us; mean at most one slot per processor: slots.h.

#define LOCK_NAME "backoff-slots"

#include "slots.h"

#include "backoff.h"
