// SPDX-License-Identifier: MIT

// scanf's format. A conversion ends in one of three ways: it succeeds, the text does not fit
// (MISMATCH), or the text has ended before its first byte (ENDED).

#include "scan.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "ctype.h"
#include "stdio.h"
#include "symsim.h"

enum outcome { CONVERTED, MISMATCH, ENDED };

int scan_peek(struct scan* scan) {
    if (!scan->peeked) scan->next = scan->take(scan->from);
    scan->peeked = true;
    return scan->next;
}

void scan_consume(struct scan* scan) {
    scan->peeked = false;
    scan->taken++;
}

static void skip_space(struct scan* scan) {
    while (isspace(scan_peek(scan))) scan_consume(scan);
}

static enum outcome match(struct scan* scan, char wanted) {
    int next = scan_peek(scan);
    if (next == EOF) return ENDED;
    if (next != (unsigned char)wanted) return MISMATCH;
    scan_consume(scan);
    return CONVERTED;
}

static const char* read_length(const char* format, struct conversion* how) {
    how->length = NORMAL;
    switch (*format++) {
        case 'h':
            how->length = *format == 'h' ? BYTE : SHORT;
            return format + (how->length == BYTE);
        case 'l':
            how->is_long = true;
            if (*format != 'l') return format;
            how->length = LONG_LONG;
            return format + 1;
        case 'j':
            how->length = LONG_LONG;
            return format;
        case 'L':
            how->length = LONG_DOUBLE;
            return format;
        case 'z':
        case 't':
            return format;
        default:
            return format - 1;
    }
}

// Reads the conversion from behind the '%'; returns the rest of the format.
static const char* read_conversion(const char* format, struct conversion* how) {
    *how = (struct conversion){0};
    if (*format == '*') {
        how->suppressed = true;
        format++;
    }
    for (; isdigit(*format); format++) how->width = how->width * 10 + (unsigned)(*format - '0');
    format = read_length(format, how);
    how->letter = *format;
    if (how->width == 0) how->width = how->letter == 'c' ? 1 : UINT_MAX;
    return format + 1;
}

// Of %[: the bytes that fit.
struct set {
    unsigned char fits[UCHAR_MAX + 1];
};

// Reads the set from behind the '['; returns the rest of the format.
static const char* read_set(const char* format, struct set* set) {
    bool fits = *format != '^';
    if (!fits) format++;
    for (unsigned n = 0; n <= UCHAR_MAX; n++) set->fits[n] = !fits;
    const char* first = format;
    for (; *format != '\0' && (*format != ']' || format == first); format++) {
        unsigned from = (unsigned char)*format, to = from;
        if (format[1] == '-' && format[2] != ']' && format[2] != '\0') {
            to = (unsigned char)format[2];
            format += 2;
        }
        for (; from <= to; from++) set->fits[from] = fits;
    }
    return *format == ']' ? format + 1 : format;
}

// Takes bytes as long as they fit `set` (NULL: as long as there are any). A string, which is all
// but %c, ends with a NUL.
static enum outcome take_bytes(struct scan* scan, const struct conversion* how,
                               const struct set* set, va_list* values) {
    char* to = how->suppressed ? NULL : va_arg(*values, char*);
    unsigned taken = 0;
    for (; taken < how->width; taken++) {
        int next = scan_peek(scan);
        if (next == EOF || (set != NULL && !set->fits[next])) break;
        if (to != NULL) to[taken] = (char)next;
        scan_consume(scan);
    }
    if (taken == 0) return scan_peek(scan) == EOF ? ENDED : MISMATCH;
    if (to != NULL && how->letter != 'c') to[taken] = '\0';
    return CONVERTED;
}

static enum outcome convert_number(struct scan* scan, const struct conversion* how,
                                   va_list* values) {
    skip_space(scan);
    if (scan_peek(scan) == EOF) return ENDED;
    bool is_integer = how->letter != 'a' && (how->letter < 'e' || how->letter > 'g');
    bool fits = is_integer ? scan_integer(scan, how, values) : scan_float(scan, how, values);
    return fits ? CONVERTED : MISMATCH;
}

// Makes the conversion behind a '%' and moves the format behind it. `stores` counts the values that
// the caller of scanf gets told of.
static enum outcome convert(struct scan* scan, const char** format, va_list* values, int* stores) {
    struct conversion how;
    struct set set;
    *format = read_conversion(*format, &how);
    enum outcome outcome;
    switch (how.letter) {
        case '%':
            skip_space(scan);
            return match(scan, '%');
        case 'n':
            if (!how.suppressed) store_integer(&how, (unsigned)scan->taken, values);
            return CONVERTED;
        case 'E':
        case 'F':
        case 'G':
        case 'A':
            how.letter = (char)tolower(how.letter);
            outcome = convert_number(scan, &how, values);
            break;
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
        case 'p':
        case 'e':
        case 'f':
        case 'g':
        case 'a':
            outcome = convert_number(scan, &how, values);
            break;
        case 'c':
            outcome = take_bytes(scan, &how, NULL, values);
            break;
        case 's':
            skip_space(scan);
            read_set("^ \t\n\v\f\r]", &set);
            outcome = take_bytes(scan, &how, &set, values);
            break;
        case '[':
            *format = read_set(*format, &set);
            outcome = take_bytes(scan, &how, &set, values);
            break;
        default:
            panic("scanf: no conversion '%%%c'", how.letter);
    }
    if (outcome == CONVERTED && !how.suppressed) ++*stores;
    return outcome;
}

int scan_text(struct scan* scan, const char* format, va_list values) {
    va_list rest;
    va_copy(rest, values);
    int stores = 0;
    enum outcome outcome = CONVERTED;
    while (*format != '\0' && outcome == CONVERTED) {
        if (*format == '%') {
            format++;
            outcome = convert(scan, &format, &rest, &stores);
        } else if (isspace(*format)) {
            skip_space(scan);
            format++;
        } else {
            outcome = match(scan, *format++);
        }
    }
    va_end(rest);
    return outcome == ENDED && stores == 0 ? EOF : stores;
}

static int take_from_text(void* from) {
    const char** text = from;
    return **text == '\0' ? EOF : (unsigned char)*(*text)++;
}

int vsscanf(const char* from, const char* format, va_list values) {
    struct scan scan = {.take = take_from_text, .from = &from};
    return scan_text(&scan, format, values);
}

int sscanf(const char* from, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int converted = vsscanf(from, format, values);
    va_end(values);
    return converted;
}
