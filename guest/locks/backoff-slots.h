// SPDX-License-Identifier: MIT
#pragma once

// backoff.h with delays in slots of 1 us, up to one for each processor: slots.h.

#define LOCK_NAME "backoff-slots"

#include "slots.h"

#include "backoff.h"
