// SPDX-License-Identifier: MIT
#pragma once

// IEEE 754 with integers: numbers are unpacked, computed to 64 bits plus a round and a sticky bit,
// rounded to a precision, and packed into a format, which may round once more.

#include <stdint.h>

// A number with any exponent: (-1)^negative * mantissa * 2^(exponent - 63), bit 63 of the mantissa
// set. `sticky`: bits that are not 0 follow.
enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };
struct number {
    enum kind kind;
    int negative;
    int exponent;
    uint64_t mantissa;
    int half,
        sticky;  // the bit after the mantissa, and whether any later bit is set
};

struct format {
    int bits;      // of the mantissa, with the leading one
    int exponent;  // largest
};

static const struct format formats[] = {{24, 127}, {53, 1023}};

static struct number unpack(uint64_t bits, const struct format* f) {
    int fraction_bits = f->bits - 1;
    struct number n = {FINITE, 0, 0, 0, 0, 0};
    uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
    int biased = (int)(bits >> fraction_bits) & (2 * f->exponent + 1);
    n.negative = (int)(bits >> (f->bits == 24 ? 31 : 63)) & 1;
    if (biased == 2 * f->exponent + 1) {
        n.kind = fraction != 0 ? NOT_A_NUMBER : INFINITE;
    } else if (biased == 0 && fraction == 0) {
        n.kind = ZERO;
    } else {
        if (biased == 0)
            biased = 1;
        else
            fraction |= 1ull << fraction_bits;
        n.mantissa = fraction << (64 - f->bits);
        n.exponent = biased - f->exponent;
        while (n.mantissa >> 63 == 0) {
            n.mantissa <<= 1;
            n.exponent--;
        }
    }
    return n;
}

static void shift_right(struct number* n, int count) {
    while (count-- > 0) {
        n->sticky |= n->half;
        n->half = (int)(n->mantissa & 1);
        n->mantissa >>= 1;
        n->exponent++;
    }
}

// Rounds to `bits` bits, to nearest, ties to even.
static struct number rounded(struct number n, int bits) {
    if (n.kind != FINITE) return n;
    shift_right(&n, 64 - bits);
    uint64_t carry_out = bits == 64 ? 0 : 1ull << bits;
    if (n.half && (n.sticky || (n.mantissa & 1))) {
        n.mantissa++;
        if (n.mantissa == carry_out) {
            n.mantissa = 1ull << (bits - 1);
            n.exponent++;
        }
    }
    n.mantissa <<= 64 - bits;
    n.exponent -= 64 - bits;
    n.half = n.sticky = 0;
    return n;
}

static uint64_t pack(struct number n, const struct format* f) {
    int fraction_bits = f->bits - 1;
    uint64_t sign = (uint64_t)n.negative << (f->bits == 24 ? 31 : 63);
    uint64_t infinity = (uint64_t)(2 * f->exponent + 1) << fraction_bits;
    if (n.kind == NOT_A_NUMBER) return infinity | 1ull << (fraction_bits - 1);
    if (n.kind == INFINITE) return sign | infinity;
    if (n.kind == ZERO) return sign;
    int missing = 1 - f->exponent - n.exponent;  // bits that a denormal has less
    int bits = missing > 0 ? f->bits - missing : f->bits;
    if (bits < 0) return sign;
    if (bits == 0) return sign | (n.mantissa > 1ull << 63 || n.half || n.sticky);
    n = rounded(n, bits);
    if (n.exponent > f->exponent) return sign | infinity;
    uint64_t fraction = n.mantissa >> (64 - f->bits);
    if (n.exponent < 1 - f->exponent) return sign | fraction >> (1 - f->exponent - n.exponent);
    fraction &= ~(1ull << fraction_bits);
    return sign | fraction | (uint64_t)(n.exponent + f->exponent) << fraction_bits;
}

static const struct number nan_number = {NOT_A_NUMBER, 0, 0, 0, 0, 0};

static struct number special(enum kind kind, int negative) {
    struct number n = {kind, negative, 0, 0, 0, 0};
    return n;
}

static int less_magnitude(const struct number* a, const struct number* b) {
    if (a->exponent != b->exponent) return a->exponent < b->exponent;
    return a->mantissa < b->mantissa;
}

static struct number add(struct number a, struct number b) {
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return nan_number;
    if (a.kind == INFINITE && b.kind == INFINITE) return a.negative == b.negative ? a : nan_number;
    if (a.kind == INFINITE || b.kind == ZERO) {
        if (a.kind == ZERO) a.negative &= b.negative;
        return a;
    }
    if (b.kind == INFINITE || a.kind == ZERO) return b;
    if (less_magnitude(&a, &b)) {
        struct number t = a;
        a = b;
        b = t;
    }
    // Two words for each number: shifts up to 64 lose nothing; beyond, only `sticky` matters.
    uint64_t b_low = 0;
    int apart = a.exponent - b.exponent, sticky = 0;
    for (; apart > 0; apart--) {
        sticky |= (int)(b_low & 1);
        b_low = b_low >> 1 | b.mantissa << 63;
        b.mantissa >>= 1;
        if (b.mantissa == 0 && b_low == 0) break;
    }
    uint64_t low;
    int carry = 0;
    if (a.negative == b.negative) {
        low = b_low;
        a.mantissa += b.mantissa;
        carry = a.mantissa < b.mantissa;
    } else {
        uint64_t taken = b_low + (uint64_t)sticky;  // 1 too much if sticky is set
        low = 0 - taken;
        a.mantissa -= b.mantissa + (taken != 0);
        if (a.mantissa == 0 && low == 0) return special(ZERO, 0);
    }
    if (carry) {
        sticky |= (int)(low & 1);
        low = low >> 1 | a.mantissa << 63;
        a.mantissa = a.mantissa >> 1 | 1ull << 63;
        a.exponent++;
    }
    while (a.mantissa >> 63 == 0) {
        a.mantissa = a.mantissa << 1 | low >> 63;
        low <<= 1;
        a.exponent--;
    }
    a.half = (int)(low >> 63);
    a.sticky = sticky | (low << 1 != 0);
    return a;
}

static struct number multiply(struct number a, struct number b) {
    int negative = a.negative ^ b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return nan_number;
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == ZERO || b.kind == ZERO ? nan_number : special(INFINITE, negative);
    if (a.kind == ZERO || b.kind == ZERO) return special(ZERO, negative);
    uint64_t a1 = a.mantissa >> 32, a0 = (uint32_t)a.mantissa;
    uint64_t b1 = b.mantissa >> 32, b0 = (uint32_t)b.mantissa;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t middle2 = a0 * b1 + (uint32_t)middle;
    uint64_t high = a1 * b1 + (middle >> 32) + (middle2 >> 32);
    uint64_t low = a.mantissa * b.mantissa;
    a.exponent += b.exponent + 1;
    a.negative = negative;
    if (high >> 63 == 0) {
        high = high << 1 | low >> 63;
        low <<= 1;
        a.exponent--;
    }
    a.mantissa = high;
    a.half = (int)(low >> 63);
    a.sticky = low << 1 != 0;
    return a;
}

static struct number divide(struct number a, struct number b) {
    int negative = a.negative ^ b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return nan_number;
    if (a.kind == b.kind && a.kind != FINITE) return nan_number;
    if (a.kind == INFINITE || b.kind == ZERO) return special(INFINITE, negative);
    if (a.kind == ZERO || b.kind == INFINITE) return special(ZERO, negative);
    uint64_t rest = a.mantissa, quotient = 0;
    int carry = 0, exponent = a.exponent - b.exponent;
    if (rest < b.mantissa) {
        carry = (int)(rest >> 63);
        rest <<= 1;
        exponent--;
    }
    for (int bit = 0; bit < 65; bit++) {
        int one = carry || rest >= b.mantissa;
        if (one) rest -= b.mantissa;
        if (bit == 64)
            a.half = one;
        else
            quotient = quotient << 1 | (uint64_t)one;
        carry = (int)(rest >> 63);
        rest <<= 1;
    }
    a.sticky = rest != 0 || carry;
    a.mantissa = quotient;
    a.exponent = exponent;
    a.negative = negative;
    return a;
}

// Digit by digit in base 2, as on paper: each iteration brings down two bits.
static struct number square_root(struct number a) {
    if (a.kind == NOT_A_NUMBER || a.kind == ZERO) return a;
    if (a.negative) return nan_number;
    if (a.kind == INFINITE) return a;
    uint64_t root = 0, rest = 0, from = a.mantissa;
    int odd = a.exponent & 1, rest_high = 0;
    // 1.f * 2^even: the first pair is "01"; with an odd exponent "1x".
    int down = odd ? 2 : 1;
    for (int bit = 0; bit < 65; bit++) {
        uint64_t pair = from >> (64 - down) & 3;
        from = down == 2 ? from << 2 : from << 1;
        down = 2;
        // The rest is below 2 * root + 1, so 66 bits hold it with its new pair.
        rest_high = rest_high << 2 | (int)(rest >> 62);
        rest = rest << 2 | pair;
        uint64_t trial = root << 2 | 1;
        int trial_high = (int)(root >> 62);
        int one = rest_high > trial_high || (rest_high == trial_high && rest >= trial);
        if (one) {
            rest_high -= trial_high + (rest < trial);
            rest -= trial;
        }
        if (bit == 64)
            a.half = one;
        else
            root = root << 1 | (uint64_t)one;
    }
    a.sticky = rest != 0 || rest_high != 0;
    a.mantissa = root;
    a.exponent = (a.exponent - odd) / 2;
    return a;
}

// Returns -1, 0 or 1; 2 if one operand is a NaN.
static int compare(struct number a, struct number b) {
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return 2;
    if (a.kind == ZERO && b.kind == ZERO) return 0;
    if (a.kind == ZERO) return b.negative ? 1 : -1;
    if (b.kind == ZERO || a.negative != b.negative) return a.negative ? -1 : 1;
    int order = a.kind == INFINITE || b.kind == INFINITE
                    ? (a.kind == INFINITE) - (b.kind == INFINITE)
                    : less_magnitude(&b, &a) - less_magnitude(&a, &b);
    return a.negative ? -order : order;
}
