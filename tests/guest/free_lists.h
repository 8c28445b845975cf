// SPDX-License-Identifier: MIT
#pragma once

// For tests that are built with a strategy and include it: all that was made is free again.

#include "test.h"
#include "threads/strategy.h"

static void all_is_free(void) {
    struct thread_counts counts = {0};
    strategy_count(&counts);
    CHECK_EQUAL(counts.blocks_free, blocks_made);
    CHECK_EQUAL(counts.stacks_free, stacks_made);
}
