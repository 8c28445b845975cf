// SPDX-License-Identifier: MIT
#pragma once

// Between format.c, which reads the format, and format_float.c, which writes its floating numbers.

#include <stdarg.h>
#include <stdbool.h>

struct output {
    void (*put)(void* to, char byte);
    void* to;
    int written;
};

// One conversion: what stands between '%' and its letter.
struct field {
    unsigned width;
    unsigned precision;
    bool precise;    // a precision was given
    bool left;       // "-": pad on the right
    bool zeros;      // "0": pad with zeros after the sign
    bool alternate;  // "#"
    char plus;       // '+' or ' ' before what is not negative, or NUL
};

void put(struct output* out, char byte);
void put_repeated(struct output* out, char byte, unsigned count);

// The frame of a field: blanks, `sign`, zeros; the caller then writes `length` bytes of its own and
// last put_behind.
void put_before(struct output* out, const struct field* field, const char* sign, unsigned length);
void put_behind(struct output* out, const struct field* field, const char* sign, unsigned length);

// One of f F e E g G, whose value is next in `values`: a long double or a double. Weak in format.c:
// only a program that includes stdio.h has it linked, which keeps images of the others small.
void format_float(struct output* out, const struct field* field, char conversion, bool is_long,
                  va_list* values);
