// SPDX-License-Identifier: MIT
#pragma once

// Internal: scan.c interprets scanf's format, scan_number.c reads its numbers.

#include <stdarg.h>
#include <stdbool.h>

// The text that is scanned. scanf never looks further than one byte ahead.
struct scan {
    int (*take)(void* from);  // returns the next byte, or EOF
    void* from;
    bool peeked;
    int next;   // if `peeked`: the byte that was looked at and not consumed, or EOF
    int taken;  // bytes consumed
};

int scan_peek(struct scan* scan);
void scan_consume(struct scan* scan);  // the byte that was looked at

enum length { BYTE, SHORT, NORMAL, LONG_LONG, LONG_DOUBLE };

// A conversion: the text between '%' and the letter.
struct conversion {
    bool suppressed;  // "*"
    unsigned width;   // at most so many bytes
    bool is_long;     // "l", which matters for floating-point numbers
    enum length length;
    char letter;
};

// Convert the next bytes and store the number through the next of `values`. Return false if the
// bytes are no number.
bool scan_integer(struct scan* scan, const struct conversion* how, va_list* values);
bool scan_float(struct scan* scan, const struct conversion* how, va_list* values);
void store_integer(const struct conversion* how, unsigned long long number, va_list* values);

// Returns the number of conversions, or EOF if the text ended before the first. If `peeked` is set
// on return, the caller puts the byte `next` back.
int scan_text(struct scan* scan, const char* format, va_list values);
