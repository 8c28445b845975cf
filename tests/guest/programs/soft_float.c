// SPDX-License-Identifier: MIT

// IEEE 754 in integers against the compiler's floating-point code: float and double, add, subtract,
// multiply, divide, square root, comparison; with zeros, infinities, NaNs and denormals.
//
// The integer code models the 387: it rounds a result once to the precision in the control word
// (24, 53 or 64 bits), with the full exponent range of an 80-bit register. It rounds a second time
// when the result is stored in a narrower format.

#include <math.h>
#include <string.h>

#include "check.h"
#include "soft_float.h"

static void set_precision(int bits) {
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control = (unsigned short)((control & ~0x300) | (bits == 24 ? 0 : bits == 53 ? 0x200 : 0x300));
    __asm__ volatile("fldcw %0" : : "m"(control));
}

enum operation { ADD, SUBTRACT, MULTIPLY, DIVIDE, ROOT, OPERATIONS };

#define COMPUTE(type, word, name)                                \
    static word name(enum operation operation, word x, word y) { \
        volatile type a, b, result = 0;                          \
        memcpy((void*)&a, &x, sizeof x);                         \
        memcpy((void*)&b, &y, sizeof y);                         \
        switch (operation) {                                     \
            case ADD:                                            \
                result = a + b;                                  \
                break;                                           \
            case SUBTRACT:                                       \
                result = a - b;                                  \
                break;                                           \
            case MULTIPLY:                                       \
                result = a * b;                                  \
                break;                                           \
            case DIVIDE:                                         \
                result = a / b;                                  \
                break;                                           \
            default:                                             \
                result = (type)sqrtl(a);                         \
                break;                                           \
        }                                                        \
        word bits;                                               \
        memcpy(&bits, (const void*)&result, sizeof bits);        \
        return bits;                                             \
    }                                                            \
    static int name##_compare(word x, word y) {                  \
        volatile type a, b;                                      \
        memcpy((void*)&a, &x, sizeof x);                         \
        memcpy((void*)&b, &y, sizeof y);                         \
        return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;          \
    }

COMPUTE(float, uint32_t, float_by_387)
COMPUTE(double, uint64_t, double_by_387)

static uint64_t in_software(enum operation operation, uint64_t x, uint64_t y, int precision,
                            const struct format* f) {
    struct number a = unpack(x, f), b = unpack(y, f), result;
    switch (operation) {
        case SUBTRACT:
            b.negative ^= 1;
            // fall through
        case ADD:
            result = add(a, b);
            break;
        case MULTIPLY:
            result = multiply(a, b);
            break;
        case DIVIDE:
            result = divide(a, b);
            break;
        default:
            result = square_root(a);
            break;
    }
    return pack(rounded(result, precision), f);
}

// Replaces every NaN by the same one, so that sign and payload of a NaN are not compared.
static uint64_t same_nan(uint64_t bits, const struct format* f) {
    struct number n = unpack(bits, f);
    return n.kind == NOT_A_NUMBER ? pack(n, f) : bits;
}

static void check(uint64_t x, uint64_t y, int precision, const struct format* f) {
    int is_float = f->bits == 24;
    for (enum operation operation = ADD; operation < OPERATIONS; operation++) {
        uint64_t expected = in_software(operation, x, y, precision, f);
        uint64_t found = is_float ? float_by_387(operation, (uint32_t)x, (uint32_t)y)
                                  : double_by_387(operation, x, y);
        if (same_nan(found, f) != expected) {
            printf("operation %d of %016llx and %016llx at %d bits: %016llx, in software %016llx\n",
                   (int)operation, (unsigned long long)x, (unsigned long long)y, precision,
                   (unsigned long long)found, (unsigned long long)expected);
            exit(1);
        }
        mix64(expected);
    }
    int order = compare(unpack(x, f), unpack(y, f));
    REQUIRE(order == (is_float ? float_by_387_compare((uint32_t)x, (uint32_t)y)
                               : double_by_387_compare(x, y)));
}

// Three quarters of the pairs have close exponents, where sums are hard.
static uint64_t random_bits(uint64_t near, const struct format* f) {
    uint64_t high = random_word(), bits = high << 32 | random_word();
    if (f->bits == 24) bits &= 0xFFFFFFFF;
    uint32_t choice = random_word() >> 30;
    if (choice == 0) return bits;
    if (choice == 1) bits &= ~((1ull << (f->bits - 8)) - 1);  // few digits
    uint64_t exponent_field = (uint64_t)(2 * f->exponent + 1) << (f->bits - 1);
    uint64_t apart = (uint64_t)(random_word() >> 26) << (f->bits - 1);
    return (bits & ~exponent_field) | ((near + apart) & exponent_field);
}

static void check_format(const struct format* f, int turns) {
    static const int precisions[] = {24, 53, 64};
    uint64_t one = (uint64_t)f->exponent << (f->bits - 1);
    uint64_t sign = 1ull << (f->bits == 24 ? 31 : 63);
    uint64_t infinity = (2ull * (uint64_t)f->exponent + 1) << (f->bits - 1);
    uint64_t least_normal = 1ull << (f->bits - 1);
    const uint64_t ends[] = {0,
                             sign,
                             1,
                             least_normal - 1,
                             least_normal,
                             one,
                             one | sign,
                             one + 1,
                             one - 1,
                             infinity - 1,
                             infinity,
                             infinity | sign,
                             infinity | least_normal >> 1};
    const int count = sizeof ends / sizeof *ends;
    for (int p = 0; p < 3; p++) {
        set_precision(precisions[p]);
        for (int i = 0; i < count; i++)
            for (int j = p; j < count; j += 3) check(ends[i], ends[j], precisions[p], f);
        uint64_t x = one;
        for (int i = 0; i < turns; i++) {
            uint64_t y = random_bits(x, f);
            check(x, y, precisions[p], f);
            x = y;
        }
    }
    set_precision(64);
}

int main(void) {
    check_format(&formats[0], 60);
    check_format(&formats[1], 60);
    return finish("soft_float");
}
