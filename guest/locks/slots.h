// SPDX-License-Identifier: MIT
#pragma once

// Backoff as T. Anderson published it, "The Performance of Spin Lock Alternatives for Shared-Memory
// Multiprocessors", IEEE TPDS 1(1), 1990, for the Symmetry Model B: delays in slots of 1 us, a mean
// that doubles with each failure up to as many slots as there are processors.

#define DELAY_UNITS delay_slots
#define DELAY_LEAST 1
#define DELAY_GROWTH 2
#define DELAY_MOST read_register(BOARD_PROCESSORS)
