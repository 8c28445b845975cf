// SPDX-License-Identifier: MIT

// printf's %a: a floating-point number in hexadecimal digits, rounded to nearest, ties to even.

#include "format.h"

// Leaves `precision` digits after the point.
static struct hexadecimal rounded(struct hexadecimal number, unsigned precision) {
    const unsigned most = number.digits - 1;
    if (precision >= most) return number;
    const unsigned bits = 4 * (most - precision);
    const uint64_t unit = 1ull << bits;
    const uint64_t rest = number.mantissa & (unit - 1), half = unit >> 1;
    number.mantissa >>= bits;
    if (rest > half || (rest == half && (number.mantissa & 1) != 0)) number.mantissa++;
    number.digits = precision + 1;
    if (number.mantissa >> (4 * precision) > 15) {  // a carry out of the first digit
        number.mantissa >>= 4;
        number.exponent += 4;
    }
    return number;
}

// How many digits after the point there are without final zeros.
static unsigned needed(const struct hexadecimal* number) {
    unsigned count = number->digits - 1;
    for (uint64_t rest = number->mantissa; count != 0 && (rest & 15) == 0; rest >>= 4) count--;
    return count;
}

static char digit(const struct hexadecimal* number, unsigned place, bool upper) {
    if (place >= number->digits) return '0';
    const unsigned value = (unsigned)(number->mantissa >> 4 * (number->digits - 1 - place)) & 15;
    return (upper ? "0123456789ABCDEF" : "0123456789abcdef")[value];
}

void format_hexadecimal(struct output* out, const struct field* field, struct hexadecimal number,
                        bool negative, bool upper) {
    char prefix[4] = {0};  // sign, "0x"
    char* end = prefix;
    if (negative || field->plus != '\0') *end++ = negative ? '-' : field->plus;
    *end++ = '0';
    *end++ = upper ? 'X' : 'x';
    const unsigned precision = field->precise ? field->precision : needed(&number);
    number = rounded(number, precision);
    const bool dot = precision != 0 || field->alternate;
    char exponent[6];
    unsigned first = sizeof exponent;
    unsigned size = (unsigned)(number.exponent < 0 ? -number.exponent : number.exponent);
    do exponent[--first] = (char)('0' + size % 10);
    while ((size /= 10) != 0);
    const unsigned length = 1 + dot + precision + 2 + (unsigned)sizeof exponent - first;
    put_before(out, field, prefix, length);
    put(out, digit(&number, 0, upper));
    if (dot) put(out, '.');
    for (unsigned place = 1; place <= precision; place++) put(out, digit(&number, place, upper));
    put(out, upper ? 'P' : 'p');
    put(out, number.exponent < 0 ? '-' : '+');
    for (; first < sizeof exponent; first++) put(out, exponent[first]);
    put_behind(out, field, prefix, length);
}
