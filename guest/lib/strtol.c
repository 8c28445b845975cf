// SPDX-License-Identifier: MIT

// Integers from text.

#include <limits.h>
#include <stdbool.h>

#include "ctype.h"
#include "errno.h"
#include "stdlib.h"

static int digit_value(char c) {
    if (isdigit(c)) return c - '0';
    if (isalpha(c)) return tolower(c) - 'a' + 10;
    return INT_MAX;
}

struct number {
    unsigned long long magnitude;
    bool negative, too_large;
};

// `most` and `most_negative` are the largest magnitudes of positive and of negative numbers.
static struct number parse(const char* text, char** end, int base, unsigned long long most,
                           unsigned long long most_negative) {
    struct number number = {0, false, false};
    const char* c = text;
    while (isspace(*c)) c++;
    if (*c == '+' || *c == '-') number.negative = *c++ == '-';
    bool hexadecimal = c[0] == '0' && (c[1] == 'x' || c[1] == 'X') && isxdigit(c[2]);
    if ((base == 0 || base == 16) && hexadecimal) {
        c += 2;
        base = 16;
    }
    if (base == 0) base = *c == '0' ? 8 : 10;
    if (number.negative) most = most_negative;

    const char* digits = c;
    for (; digit_value(*c) < base; c++) {
        unsigned digit = (unsigned)digit_value(*c);
        if (number.magnitude > (most - digit) / (unsigned)base)
            number.too_large = true;
        else
            number.magnitude = number.magnitude * (unsigned)base + digit;
    }
    if (number.too_large) {
        number.magnitude = most;
        errno = ERANGE;
    }
    if (end != NULL) *end = (char*)(c == digits ? text : c);
    return number;
}

static long long with_sign(struct number number) {
    return (long long)(number.negative ? -number.magnitude : number.magnitude);
}

// For unsigned types "-1" is the largest number; the result of an overflow has no sign.
static unsigned long long wrapped(struct number number) {
    return number.negative && !number.too_large ? -number.magnitude : number.magnitude;
}

long strtol(const char* text, char** end, int base) {
    return (long)with_sign(parse(text, end, base, LONG_MAX, LONG_MAX + 1ul));
}

long long strtoll(const char* text, char** end, int base) {
    return with_sign(parse(text, end, base, LLONG_MAX, LLONG_MAX + 1ull));
}

unsigned long strtoul(const char* text, char** end, int base) {
    return (unsigned long)wrapped(parse(text, end, base, ULONG_MAX, ULONG_MAX));
}

unsigned long long strtoull(const char* text, char** end, int base) {
    return wrapped(parse(text, end, base, ULLONG_MAX, ULLONG_MAX));
}

int atoi(const char* text) {
    return (int)strtol(text, NULL, 10);
}

long atol(const char* text) {
    return strtol(text, NULL, 10);
}

long long atoll(const char* text) {
    return strtoll(text, NULL, 10);
}
