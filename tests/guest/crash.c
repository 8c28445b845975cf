// SPDX-License-Identifier: MIT

// Divides by zero three calls deep, on purpose. tests/run/failure_test.cpp checks the crash report,
// which names these lines.

#include "symsim.h"

__attribute__((noinline)) static unsigned divide(unsigned a, unsigned b) {
    return a / b;
}

__attribute__((noinline)) static unsigned mean(const unsigned* values, unsigned count) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) sum += values[i];
    return divide(sum, count) + 1;
}

int main(void) {
    unsigned values[2] = {3, 4};
    values[0] = mean(values, 2);
    return (int)mean(values, values[0] - 4) + 1;
}
