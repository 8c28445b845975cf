// SPDX-License-Identifier: MIT
#pragma once

// Backoff as T. Anderson published it for the Symmetry Model B ("The Performance of Spin Lock
// Alternatives for Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990). Delays are in slots of 1
// us; the mean doubles with each failure, up to as many slots as there are processors.

#define DELAY_UNITS delay_slots
#define DELAY_LEAST 1
#define DELAY_MOST read_register(BOARD_PROCESSORS)
