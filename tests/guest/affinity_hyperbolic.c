// SPDX-License-Identifier: MIT

// Hyperbolic ageing changes the order of two threads (Steckermeier & Bellosa 1995, Figure 6 and
// Equation 2, claim MTH-23): one ran for 64 units until 64, the other for 16 until 80. They are
// equal at 85.33; before, the second is higher, and from then on the first.

#define SYMSIM_AFFINITY_FILE "threads/affinity/hyperbolic.h"
#include "test.h"
#include "threads/affinity.h"

#define UNIT 10000  // us

int main(void) {
    const struct affinity first = {64 * UNIT, 64 * UNIT}, second = {16 * UNIT, 80 * UNIT};
    uint32_t crossing_us = 0;
    for (uint32_t now_us = 81 * UNIT; now_us < 200 * UNIT; now_us += UNIT / 1000) {
        const bool first_is_higher = hyperbolic_greater(&first, &second, now_us);
        if (first_is_higher && crossing_us == 0) crossing_us = now_us;
        CHECK(first_is_higher == (crossing_us != 0));
        CHECK(!(first_is_higher && hyperbolic_greater(&second, &first, now_us)));
    }
    CHECK(crossing_us >= 85.32 * UNIT && crossing_us <= 85.34 * UNIT);
    return 0;
}
