// SPDX-License-Identifier: MIT
#pragma once

// Internal: format.c interprets the format, format_float.c prints its floating-point numbers.

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

struct output {
    void (*put)(void* to, char byte);
    void* to;
    int written;
};

// A conversion's flags, width and precision: the text between '%' and the letter.
struct field {
    unsigned width;
    unsigned precision;
    bool precise;    // a precision was given
    bool left;       // "-": pad on the right
    bool zeros;      // "0": pad with zeros after the sign
    bool alternate;  // "#"
    char plus;       // '+' or ' ' printed before a number that is not negative, or NUL
};

void put(struct output* out, char byte);
void put_repeated(struct output* out, char byte, unsigned count);

// Pad a field. The caller calls put_before, which prints blanks, `sign`, zeros; then prints
// `length` bytes itself; then calls put_behind.
void put_before(struct output* out, const struct field* field, const char* sign, unsigned length);
void put_behind(struct output* out, const struct field* field, const char* sign, unsigned length);

// A number as %a prints it: `digits` hexadecimal digits of `mantissa`, the point after the first,
// times 2^exponent.
struct hexadecimal {
    uint64_t mantissa;
    unsigned digits;
    int exponent;
};
void format_hexadecimal(struct output* out, const struct field* field, struct hexadecimal number,
                        bool negative, bool upper);

// Prints the next of `values`, a double or long double, with conversion f F e E g G a A. Weak in
// format.c: only programs that include stdio.h link it, which keeps other images small.
void symsim_format_float(struct output* out, const struct field* field, char conversion,
                         bool is_long, va_list* values);
