// SPDX-License-Identifier: MIT
#pragma once

// backoff-every.h with delays in slots of 1 us; mean at most one slot per processor: slots.h.

#define LOCK_NAME "backoff-slots-every"

#include "slots.h"

#include "backoff-every.h"
