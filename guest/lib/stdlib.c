// SPDX-License-Identifier: MIT

#include "stdlib.h"

#include <stdint.h>

#include "errno.h"
#include "symsim.h"
#include "time.h"

int errno;

int abs(int value) {
    return value < 0 ? -value : value;
}

long labs(long value) {
    return value < 0 ? -value : value;
}

long long llabs(long long value) {
    return value < 0 ? -value : value;
}

div_t div(int dividend, int divisor) {
    return (div_t){dividend / divisor, dividend % divisor};
}

ldiv_t ldiv(long dividend, long divisor) {
    return (ldiv_t){dividend / divisor, dividend % divisor};
}

lldiv_t lldiv(long long dividend, long long divisor) {
    return (lldiv_t){dividend / divisor, dividend % divisor};
}

// MMIX's generator (D. Knuth): the upper bits of a sequence of period 2^64.
static uint64_t rand_state;

int rand(void) {
    rand_state = rand_state * 6364136223846793005u + 1442695040888963407u;
    return (int)(rand_state >> 33);
}

void srand(unsigned seed) {
    rand_state = seed;
}

char* getenv(const char* name) {
    (void)name;
    return NULL;
}

_Noreturn void abort(void) {
    panic("abort");
}

_Noreturn void symsim_assertion_failed(const char* condition, const char* file, int line,
                                       const char* function) {
    panic("%s:%d: %s: assertion '%s' failed", file, line, function, condition);
}

clock_t clock(void) {
    return (clock_t)clock_us();
}

time_t time(time_t* also) {
    time_t now = (time_t)(clock_us() / 1000000);
    if (also != NULL) *also = now;
    return now;
}
