// SPDX-License-Identifier: MIT
#pragma once

// Arguments that select the image, as in `image = "null_threads-{strategy}"`. An image checks that
// it is the one selected.

#include "string.h"
#include "symsim.h"

// Panics if the argument is given and differs from what the image is built with.
static inline void check_image_argument(const char* name, const char* built) {
    if (strcmp(arg_string(name, built), built) != 0)
        panic("this image has %s %s, not %s", name, built, arg_string(name, ""));
}

#ifdef SYMSIM_STRATEGY  // by symsim_guest() or symlab cc
static inline void check_strategy_argument(void) {
    check_image_argument("strategy", SYMSIM_STRATEGY);
}
#endif
