// SPDX-License-Identifier: MIT

// Exactly rounded floating-point numbers from text, decimal or hexadecimal. The digits become a
// fraction of two long integers. It is divided bit by bit until the type's mantissa is full, and
// the remainder decides the rounding. It uses no floating-point arithmetic.

#include <stdbool.h>
#include <stdint.h>

#include "ctype.h"
#include "errno.h"
#include "stdlib.h"
#include "string.h"
#include "strings.h"

// Of the digits beyond this number it only matters whether all are 0. Doubles and the midpoints
// between two have at most 768 digits (2^-1075 times an odd mantissa): double and float are exact.
#define DIGITS_MOST 800

// A long integer: limbs of 32 bits, least significant first. Largest: 10^5800 for the least long
// double with all its digits, 19,267 bits, and room for a shift.
#define LIMBS 640

struct big {
    unsigned count;  // the highest limb is not 0
    uint32_t limbs[LIMBS];
};

static void multiply_add(struct big* b, uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (unsigned i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limbs[i] * factor;
        b->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) b->limbs[b->count++] = (uint32_t)carry;
}

static void multiply_by_power_of_ten(struct big* b, unsigned power) {
    for (; power >= 9; power -= 9) multiply_add(b, 1000000000, 0);
    for (; power != 0; power--) multiply_add(b, 10, 0);
}

static int bits_of(const struct big* b) {
    return b->count == 0 ? 0 : (int)(32 * b->count) - __builtin_clz(b->limbs[b->count - 1]);
}

static void shift_left(struct big* b, unsigned bits) {
    multiply_add(b, 1u << bits % 32, 0);
    unsigned limbs = bits / 32;
    if (b->count == 0 || limbs == 0) return;
    memmove(b->limbs + limbs, b->limbs, b->count * sizeof *b->limbs);
    memset(b->limbs, 0, limbs * sizeof *b->limbs);
    b->count += limbs;
}

static bool less(const struct big* a, const struct big* b) {
    if (a->count != b->count) return a->count < b->count;
    for (unsigned i = a->count; i-- != 0;)
        if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i];
    return false;
}

// a -= b; requires b <= a.
static void subtract(struct big* a, const struct big* b) {
    int64_t carry = 0;
    for (unsigned i = 0; i < a->count; i++) {
        carry += (int64_t)a->limbs[i] - (i < b->count ? b->limbs[i] : 0);
        a->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    while (a->count != 0 && a->limbs[a->count - 1] == 0) a->count--;
}

// A binary format: value = mantissa * 2^exponent, mantissa < 2^bits.
struct format {
    int bits, least_exponent, greatest_exponent;
};

static const struct format single_format = {24, -149, 104};
static const struct format double_format = {53, -1074, 971};
static const struct format extended_format = {64, -16445, 16320};

struct binary {
    uint64_t mantissa;
    int exponent;
    bool infinite;
    bool cut;  // the value is inexact
};

// upper / lower * 2^twos, rounded to nearest, ties to even. Overwrites both; neither may be 0.
static struct binary divide(struct big* upper, struct big* lower, int twos,
                            const struct format* format) {
    int weight = bits_of(upper) - bits_of(lower);  // of the quotient's first bit
    if (weight >= 0)
        shift_left(lower, (unsigned)weight);
    else
        shift_left(upper, (unsigned)-weight);
    if (less(upper, lower)) {
        shift_left(upper, 1);
        weight--;
    }
    weight += twos;
    struct binary result = {0, weight - format->bits + 1, false, true};
    if (result.exponent < format->least_exponent) result.exponent = format->least_exponent;
    int bits = weight - result.exponent + 1;
    if (bits < 0) return result;  // less than half of the least number
    for (; bits != 0; bits--) {
        bool one = !less(upper, lower);
        if (one) subtract(upper, lower);
        result.mantissa = result.mantissa << 1 | one;
        shift_left(upper, 1);
    }
    result.cut = upper->count != 0;
    // Compares the remainder, doubled, with one unit of the mantissa.
    bool down = less(upper, lower);
    bool up = less(lower, upper);
    if (!up && (down || (result.mantissa & 1) == 0)) return result;
    result.mantissa++;
    if (result.mantissa == (format->bits == 64 ? 0 : 1ull << format->bits)) {
        result.mantissa = 1ull << (format->bits - 1);
        result.exponent++;
    }
    return result;
}

// The parts of a number's text.
struct text {
    const char* digits;  // may contain a point
    unsigned base;       // 10 or 16
    const char* end;     // after the number; NULL if there is none
    bool negative, infinity, nan;
    int exponent;  // of the last digit before the point: power of ten, or of two if hexadecimal
};

static int take_exponent(const char** c) {
    const char* next = *c + 1;
    bool negative = *next == '-';
    if (*next == '+' || *next == '-') next++;
    if (!isdigit(*next)) return 0;
    int exponent = 0;
    for (; isdigit(*next); next++)
        if (exponent < 100000) exponent = exponent * 10 + (*next - '0');
    *c = next;
    return negative ? -exponent : exponent;
}

// The value of a digit, or 16 if it is none of this base.
static unsigned digit_value(char c, unsigned base) {
    if (isdigit(c)) return (unsigned)(c - '0');
    return base == 16 && isxdigit(c) ? (unsigned)(tolower(c) - 'a') + 10 : 16;
}

static bool is_digit(char c, unsigned base) {
    return digit_value(c, base) < base;
}

// Whether "0x" and a hexadecimal digit begin here; else "0x" is the number 0 before an "x".
static bool is_hexadecimal(const char* c) {
    if (c[0] != '0' || (c[1] != 'x' && c[1] != 'X')) return false;
    return isxdigit(c[2]) || (c[2] == '.' && isxdigit(c[3]));
}

// The end of "(letters_and_digits)", which may follow "nan" and which no result depends on.
static const char* after_nan(const char* c) {
    if (*c != '(') return c;
    const char* end = c + 1;
    while (isalnum(*end) || *end == '_') end++;
    return *end == ')' ? end + 1 : c;
}

static struct text read_text(const char* text) {
    struct text t = {.base = 10};
    const char* c = text;
    while (isspace(*c)) c++;
    if (*c == '+' || *c == '-') t.negative = *c++ == '-';
    if (strncasecmp(c, "inf", 3) == 0) {
        t.infinity = true;
        t.end = c + (strncasecmp(c, "infinity", 8) == 0 ? 8 : 3);
        return t;
    }
    if (strncasecmp(c, "nan", 3) == 0) {
        t.nan = true;
        t.end = after_nan(c + 3);
        return t;
    }
    if (is_hexadecimal(c)) {
        t.base = 16;
        c += 2;
    }
    t.digits = c;
    bool any = false;
    for (; is_digit(*c, t.base); c++) any = true;
    if (*c == '.')
        for (c++; is_digit(*c, t.base); c++) any = true;
    if (any && tolower(*c) == (t.base == 16 ? 'p' : 'e')) t.exponent = take_exponent(&c);
    t.end = any ? c : NULL;
    return t;
}

// The number is `digits` * 10^result, or 2^result if it is hexadecimal. A final digit 1 stands for
// nonzero digits cut off.
static int take_digits(const struct text* t, struct big* digits) {
    const int step = t->base == 16 ? 4 : 1;  // of the exponent, for a digit
    int exponent = t->exponent;
    unsigned taken = 0;
    bool point = false, cut = false;
    for (const char* c = t->digits; is_digit(*c, t->base) || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        if (taken < DIGITS_MOST) {
            multiply_add(digits, t->base, digit_value(*c, t->base));
            if (digits->count != 0) taken++;
            if (point) exponent -= step;
        } else {
            cut |= *c != '0';
            if (!point) exponent += step;
        }
    }
    if (cut) {
        multiply_add(digits, t->base, 1);
        exponent -= step;
    }
    return exponent;
}

// Exponents of ten and of two beyond which every format overflows or is 0.
#define EXPONENT_MOST 5000
#define TWOS_MOST 20000

static struct binary convert(const struct text* t, const struct format* format) {
    struct big upper = {.count = 0}, lower = {.count = 0};
    struct binary result = {0, format->least_exponent, false, true};
    int exponent = take_digits(t, &upper);
    if (upper.count == 0) return result;
    const bool twos = t->base == 16;
    // An estimate is enough.
    int leading = exponent + (twos ? bits_of(&upper) : bits_of(&upper) * 301 / 1000);
    int most = twos ? TWOS_MOST : EXPONENT_MOST;
    multiply_add(&lower, 1, 1);
    if (leading > most) {
        result.infinite = true;
    } else if (leading >= -most) {
        if (!twos && exponent >= 0) multiply_by_power_of_ten(&upper, (unsigned)exponent);
        if (!twos && exponent < 0) multiply_by_power_of_ten(&lower, (unsigned)-exponent);
        result = divide(&upper, &lower, twos ? exponent : 0, format);
        result.infinite = result.exponent > format->greatest_exponent;
    }
    bool small = result.mantissa >> (format->bits - 1) == 0;
    if (result.infinite || (small && result.cut)) errno = ERANGE;
    return result;
}

// The part common to all three: the end of the number, and its value.
static struct binary parse(const char* text, char** end, const struct format* format,
                           struct text* t) {
    *t = read_text(text);
    if (end != NULL) *end = (char*)(t->end != NULL ? t->end : text);
    if (t->end != NULL && !t->infinity && !t->nan) return convert(t, format);
    return (struct binary){0, format->least_exponent, t->infinity, false};
}

// The exponent field: 0 for a denormal number or 0, all ones for infinity and NaN.
static unsigned exponent_field(struct binary value, const struct format* format, bool nan) {
    unsigned ones = (unsigned)(format->greatest_exponent - format->least_exponent + 2);
    if (value.infinite || nan) return ones;
    bool normal = value.mantissa >> (format->bits - 1) != 0;
    return normal ? (unsigned)(value.exponent - format->least_exponent + 1) : 0;
}

// Packs a format that does not store the leading bit.
static uint64_t pack(struct binary value, const struct format* format, const struct text* t) {
    uint64_t fraction = value.mantissa & ((1ull << (format->bits - 1)) - 1);
    if (value.infinite) fraction = 0;
    if (t->nan) fraction = 1ull << (format->bits - 2);
    return fraction | (uint64_t)exponent_field(value, format, t->nan) << (format->bits - 1);
}

double strtod(const char* text, char** end) {
    struct text t;
    struct binary value = parse(text, end, &double_format, &t);
    union {
        uint64_t bits;
        double value;
    } number = {pack(value, &double_format, &t) | (uint64_t)t.negative << 63};
    return number.value;
}

float strtof(const char* text, char** end) {
    struct text t;
    struct binary value = parse(text, end, &single_format, &t);
    union {
        uint32_t bits;
        float value;
    } number = {(uint32_t)pack(value, &single_format, &t) | (uint32_t)t.negative << 31};
    return number.value;
}

long double strtold(const char* text, char** end) {
    struct text t;
    struct binary value = parse(text, end, &extended_format, &t);
    union {
        struct {
            uint64_t mantissa;
            uint16_t sign_and_exponent;
        } fields;
        long double value;
    } number = {.value = 0};
    number.fields.mantissa = value.infinite ? 1ull << 63 : t.nan ? 3ull << 62 : value.mantissa;
    number.fields.sign_and_exponent =
        (uint16_t)(exponent_field(value, &extended_format, t.nan) | (unsigned)t.negative << 15);
    return number.value;
}

double atof(const char* text) {
    return strtod(text, NULL);
}
