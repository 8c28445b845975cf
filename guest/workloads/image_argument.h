// SPDX-License-Identifier: MIT
#pragma once

// Arguments that choose the image, `image = "null_threads-{strategy}"`: the image says if it is
// another one.

#include "string.h"
#include "symsim.h"

// If given, must be what the image is built with.
static inline void check_image_argument(const char* name, const char* built) {
    if (strcmp(arg_string(name, built), built) != 0)
        panic("this image has %s %s, not %s", name, built, arg_string(name, ""));
}

// SYMSIM_STRATEGY: from symsim_guest() or symlab cc.
static inline void check_strategy_argument(void) {
    check_image_argument("strategy", SYMSIM_STRATEGY);
}
