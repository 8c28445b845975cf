// SPDX-License-Identifier: MIT

// The numbers of scanf. The longest text that is, or begins, a number is collected; strtol.c and
// strtod.c convert it.

#include "ctype.h"
#include "scan.h"
#include "stdlib.h"
#include "string.h"

#define NUMBER_BYTES 1023

struct text {
    char bytes[NUMBER_BYTES + 1];
    unsigned length, most;
};

static struct text empty_text(const struct conversion* how) {
    return (struct text){.most = how->width < NUMBER_BYTES ? how->width : NUMBER_BYTES};
}

// Takes the next byte into the text if it is one of `set`.
static bool accept(struct scan* scan, struct text* text, const char* set) {
    int next = scan_peek(scan);
    if (text->length == text->most || next <= 0 || strchr(set, next) == NULL) return false;
    text->bytes[text->length++] = (char)next;
    text->bytes[text->length] = '\0';
    scan_consume(scan);
    return true;
}

static int base_of(char letter) {
    switch (letter) {
        case 'i':
            return 0;  // as the number's prefix says
        case 'o':
            return 8;
        case 'x':
        case 'X':
        case 'p':
            return 16;
        default:
            return 10;
    }
}

void store_integer(const struct conversion* how, unsigned long long number, va_list* values) {
    switch (how->length) {
        case BYTE:
            *va_arg(*values, char*) = (char)number;
            break;
        case SHORT:
            *va_arg(*values, short*) = (short)number;
            break;
        case NORMAL:
            *va_arg(*values, int*) = (int)number;
            break;
        default:
            *va_arg(*values, long long*) = (long long)number;
            break;
    }
}

bool scan_integer(struct scan* scan, const struct conversion* how, va_list* values) {
    static const char digits[] = "0123456789abcdefABCDEF";
    struct text text = empty_text(how);
    int base = base_of(how->letter);
    bool any = false;
    accept(scan, &text, "+-");
    if ((base == 0 || base == 16) && accept(scan, &text, "0")) {
        any = !accept(scan, &text, "xX");
        if (base == 0) base = any ? 8 : 16;
    }
    if (base == 0) base = 10;
    char set[sizeof digits];
    strcpy(set, digits);
    if (base != 16) set[base] = '\0';
    while (accept(scan, &text, set)) any = true;
    if (!any) return false;
    if (how->suppressed) return true;
    bool is_signed = how->letter == 'd' || how->letter == 'i';
    unsigned long long number;
    if (how->length == LONG_LONG)
        number = is_signed ? (unsigned long long)strtoll(text.bytes, NULL, base)
                           : strtoull(text.bytes, NULL, base);
    else
        number = is_signed ? (unsigned long)strtol(text.bytes, NULL, base)
                           : strtoul(text.bytes, NULL, base);
    store_integer(how, number, values);
    return true;
}

// Takes `word`, in upper or lower case, as far as it goes; returns whether all of it is there.
static bool accept_word(struct scan* scan, struct text* text, const char* word) {
    for (; *word != '\0'; word++) {
        char set[] = {*word, (char)toupper(*word), '\0'};
        if (!accept(scan, text, set)) return false;
    }
    return true;
}

static bool accept_digits(struct scan* scan, struct text* text, const char* digits) {
    bool any = false;
    while (accept(scan, text, digits)) any = true;
    return any;
}

static bool accept_float(struct scan* scan, struct text* text) {
    accept(scan, text, "+-");
    int next = tolower(scan_peek(scan));
    if (next == 'n') return accept_word(scan, text, "nan");
    if (next == 'i') {
        if (!accept_word(scan, text, "inf")) return false;
        return !accept(scan, text, "iI") || accept_word(scan, text, "nity");
    }
    static const char decimal[] = "0123456789";
    bool any = accept(scan, text, "0");
    const bool hexadecimal = any && accept(scan, text, "xX");
    const char* digits = hexadecimal ? "0123456789abcdefABCDEF" : decimal;
    if (hexadecimal) any = false;
    if (accept_digits(scan, text, digits)) any = true;
    if (accept(scan, text, ".") && accept_digits(scan, text, digits)) any = true;
    if (!any || !accept(scan, text, hexadecimal ? "pP" : "eE")) return any;
    accept(scan, text, "+-");
    return accept_digits(scan, text, decimal);
}

bool scan_float(struct scan* scan, const struct conversion* how, va_list* values) {
    struct text text = empty_text(how);
    if (!accept_float(scan, &text)) return false;
    if (how->suppressed) return true;
    if (how->length == LONG_DOUBLE)
        *va_arg(*values, long double*) = strtold(text.bytes, NULL);
    else if (how->is_long)
        *va_arg(*values, double*) = strtod(text.bytes, NULL);
    else
        *va_arg(*values, float*) = strtof(text.bytes, NULL);
    return true;
}
