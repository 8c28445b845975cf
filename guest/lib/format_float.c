// SPDX-License-Identifier: MIT

// printf of floating-point numbers, exactly rounded. A binary fraction has finitely many decimal
// digits; this code computes all of them and then rounds. It uses no floating-point arithmetic, so
// its output does not depend on the coprocessor, which it may be used to test.

#include <stdint.h>

#include "format.h"
#include "string.h"

// A finite decimal number: `count` limbs of nine digits each, least significant first. The last
// `scale` digits are after the decimal point.
//
// The longest has 11,515 digits: the least long double, 2^-16445 = 5^16445 / 10^16445, times a
// 64-bit mantissa.
#define LIMBS 1284
#define LIMB_DIGITS 9
#define LIMB 1000000000u

struct decimal {
    unsigned count;
    unsigned scale;
    uint32_t limbs[LIMBS];
};

static void multiply(struct decimal* d, uint32_t factor) {
    uint32_t carry = 0;
    for (unsigned i = 0; i < d->count; i++) {
        uint64_t product = (uint64_t)d->limbs[i] * factor + carry;
        // The quotient is below 2^32, because factor is: one divl instead of a call of __udivdi3.
        uint32_t rest;
        __asm__("divl %4"
                : "=a"(carry), "=d"(rest)
                : "0"((uint32_t)product), "1"((uint32_t)(product >> 32)), "rm"(LIMB)
                : "cc");
        d->limbs[i] = rest;
    }
    if (carry != 0) d->limbs[d->count++] = carry;
}

// Sets d = mantissa * 2^exponent.
static void make_decimal(struct decimal* d, uint64_t mantissa, int exponent) {
    d->count = 0;
    d->scale = 0;
    if (mantissa == 0) return;
    while ((mantissa & 1) == 0) {
        mantissa >>= 1;
        exponent++;
    }
    for (; mantissa != 0; mantissa /= LIMB) d->limbs[d->count++] = (uint32_t)(mantissa % LIMB);
    for (; exponent >= 29; exponent -= 29) multiply(d, 1u << 29);
    if (exponent > 0) multiply(d, 1u << exponent);
    if (exponent >= 0) return;
    d->scale = (unsigned)-exponent;  // 2^-n = 5^n / 10^n
    unsigned fives = d->scale;
    for (; fives >= 12; fives -= 12) multiply(d, 244140625);  // 5^12
    for (; fives != 0; fives--) multiply(d, 5);
}

static const uint32_t powers_of_ten[LIMB_DIGITS] = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};

// The digit with weight 10^place in the number read as an integer, without its scale.
static unsigned digit(const struct decimal* d, int place) {
    if (place < 0 || (unsigned)place / LIMB_DIGITS >= d->count) return 0;
    unsigned p = (unsigned)place;
    return d->limbs[p / LIMB_DIGITS] / powers_of_ten[p % LIMB_DIGITS] % 10;
}

// Place of the first nonzero digit; -1 for 0.
static int first_place(const struct decimal* d) {
    int place = (int)(d->count * LIMB_DIGITS) - 1;
    while (place >= 0 && digit(d, place) == 0) place--;
    return place;
}

static bool zero_below(const struct decimal* d, int place) {
    for (int p = 0; p < place; p++)
        if (digit(d, p) != 0) return false;
    return true;
}

// Rounds to a multiple of 10^place, to nearest, ties to even.
static void round_at(struct decimal* d, int place) {
    if (place <= 0) return;
    unsigned half = digit(d, place - 1);
    bool up = half > 5 || (half == 5 && (!zero_below(d, place - 1) || digit(d, place) % 2 == 1));
    unsigned limb = (unsigned)place / LIMB_DIGITS;
    uint32_t unit = powers_of_ten[(unsigned)place % LIMB_DIGITS];
    if (limb > d->count) {  // far above all digits
        d->count = 0;
        return;
    }
    if (limb == d->count) d->limbs[d->count++] = 0;
    for (unsigned i = 0; i < limb; i++) d->limbs[i] = 0;
    d->limbs[limb] -= d->limbs[limb] % unit;
    if (!up) return;
    d->limbs[limb] += unit;
    for (; d->limbs[limb] >= LIMB; limb++) {
        d->limbs[limb] -= LIMB;
        if (limb + 1 == d->count) d->limbs[d->count++] = 0;
        d->limbs[limb + 1]++;
    }
}

struct request {
    struct output* out;
    const struct field* field;
    const char* sign;
    unsigned precision;  // digits after the decimal point
    bool trim;           // %g without "#": remove trailing zeros
    char exponent_letter;
};

static void put_digits(struct output* out, const struct decimal* d, int from, int to) {
    for (int place = from; place > to; place--) put(out, (char)('0' + digit(d, place)));
}

// How many of the `precision` digits under place `below`, after the point, are printed.
static unsigned fraction_digits(const struct request* r, const struct decimal* d, int below) {
    unsigned count = r->precision;
    if (r->trim)
        while (count != 0 && digit(d, below - (int)count) == 0) count--;
    return count;
}

static void put_fixed(const struct request* r, struct decimal* d) {
    int point = (int)d->scale;  // place of the units digit
    round_at(d, point - (int)r->precision);
    int first = first_place(d);
    if (first < point) first = point;
    unsigned behind = fraction_digits(r, d, point);
    bool dot = behind != 0 || r->field->alternate;
    unsigned length = (unsigned)(first - point) + 1 + dot + behind;
    put_before(r->out, r->field, r->sign, length);
    put_digits(r->out, d, first, point - 1);
    if (dot) put(r->out, '.');
    put_digits(r->out, d, point - 1, point - 1 - (int)behind);
    put_behind(r->out, r->field, r->sign, length);
}

// Rounds to precision + 1 digits; returns the exponent of the result.
static int round_scientific(struct decimal* d, unsigned precision) {
    int first = first_place(d);
    if (first < 0) return 0;
    round_at(d, first - (int)precision);
    return first_place(d) - (int)d->scale;
}

static void put_scientific(const struct request* r, struct decimal* d) {
    int exponent = round_scientific(d, r->precision);
    int first = first_place(d);
    unsigned behind = fraction_digits(r, d, first);
    bool dot = behind != 0 || r->field->alternate;
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    unsigned exponent_digits = size >= 1000 ? 4 : size >= 100 ? 3 : 2;
    unsigned length = 1 + dot + behind + 2 + exponent_digits;
    put_before(r->out, r->field, r->sign, length);
    put(r->out, (char)('0' + digit(d, first)));
    if (dot) put(r->out, '.');
    put_digits(r->out, d, first - 1, first - 1 - (int)behind);
    put(r->out, r->exponent_letter);
    put(r->out, exponent < 0 ? '-' : '+');
    for (unsigned i = exponent_digits; i-- != 0;)
        put(r->out, (char)('0' + size / powers_of_ten[i] % 10));
    put_behind(r->out, r->field, r->sign, length);
}

// %g: `precision` counts all digits; the exponent after rounding selects the form.
static void put_general(struct request* r, struct decimal* d) {
    unsigned significant = r->precision == 0 ? 1 : r->precision;
    int exponent = round_scientific(d, significant - 1);
    r->trim = !r->field->alternate;
    if (exponent >= -4 && exponent < (int)significant) {
        r->precision = (unsigned)((int)significant - 1 - exponent);
        put_fixed(r, d);
    } else {
        r->precision = significant - 1;
        put_scientific(r, d);
    }
}

static void put_special(const struct request* r, const char* text) {
    struct field field = *r->field;
    field.zeros = false;
    put_before(r->out, &field, r->sign, 3);
    while (*text != '\0') put(r->out, *text++);
    put_behind(r->out, &field, r->sign, 3);
}

struct parts {
    bool negative, special;  // if special: infinity if mantissa is 0, else NaN
    uint64_t mantissa;
    int exponent;  // value = mantissa * 2^exponent
};

static struct parts parts_of_double(uint64_t bits) {
    unsigned biased = (unsigned)(bits >> 52) & 0x7FF;
    uint64_t fraction = bits & ((1ull << 52) - 1);
    struct parts parts = {bits >> 63 != 0, biased == 0x7FF, fraction, -1074};
    if (biased != 0 && !parts.special) {
        parts.mantissa |= 1ull << 52;
        parts.exponent = (int)biased - 1075;
    }
    return parts;
}

static struct parts parts_of_long_double(uint64_t mantissa, unsigned sign_and_exponent) {
    unsigned biased = sign_and_exponent & 0x7FFF;
    bool special = biased == 0x7FFF;
    if (special) mantissa &= ~(1ull << 63);  // this format stores the leading 1
    int exponent = biased == 0 ? -16445 : (int)biased - 16446;
    return (struct parts){(sign_and_exponent & 0x8000) != 0, special, mantissa, exponent};
}

// Reads the bits as integers; the coprocessor would change a signalling NaN.
static struct parts take_parts(bool is_long, va_list* values) {
    if (!is_long) return parts_of_double(va_arg(*values, uint64_t));
    uint64_t mantissa = va_arg(*values, uint64_t);
    return parts_of_long_double(mantissa, va_arg(*values, unsigned));  // 12 bytes in all
}

#ifdef SYMSIM_USER_PROGRAM
// The first digit has one bit of a double's mantissa, and four of a long double's.
static struct hexadecimal hexadecimal_of(const struct parts* parts, bool is_long) {
    const int behind = is_long ? 60 : 52;  // bits behind the first digit
    const int exponent = parts->mantissa == 0 ? 0 : parts->exponent + behind;
    return (struct hexadecimal){parts->mantissa, (unsigned)behind / 4 + 1, exponent};
}
#endif

void symsim_format_float(struct output* out, const struct field* field, char conversion,
                         bool is_long, va_list* values) {
    const char plus[2] = {field->plus, '\0'};
    struct parts parts = take_parts(is_long, values);
    bool upper = conversion < 'a';
    struct request r = {out,
                        field,
                        parts.negative ? "-" : plus,
                        field->precise ? field->precision : 6,
                        false,
                        upper ? 'E' : 'e'};
    if (parts.special) {
        const char* lower_text = parts.mantissa == 0 ? "inf" : "nan";
        const char* upper_text = parts.mantissa == 0 ? "INF" : "NAN";
        put_special(&r, upper ? upper_text : lower_text);
        return;
    }
#ifdef SYMSIM_USER_PROGRAM
    if (conversion == 'a' || conversion == 'A') {
        const struct hexadecimal number = hexadecimal_of(&parts, is_long);
        return format_hexadecimal(out, field, number, parts.negative, upper);
    }
#endif
    struct decimal decimal;
    make_decimal(&decimal, parts.mantissa, parts.exponent);
    if (conversion == 'f' || conversion == 'F')
        put_fixed(&r, &decimal);
    else if (conversion == 'e' || conversion == 'E')
        put_scientific(&r, &decimal);
    else
        put_general(&r, &decimal);
}
