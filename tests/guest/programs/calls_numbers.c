// SPDX-License-Identifier: MIT

// Generated calls that turn text into numbers: strtol and its family in every base, strtod, strtof
// and strtold of decimal and hexadecimal numbers, and sscanf. Each line has the text, the number's
// bits, where the number ended, and whether errno says that it does not fit.

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "check.h"

#define CALLS 120  // of each function

static char text[400];

static void append(const char* what) {
    strcat(text, what);
}

static const char* one_of(const char* const* words, unsigned count) {
    return words[random_word() % count];
}
#define ONE_OF(...)                            \
    one_of((const char* const[]){__VA_ARGS__}, \
           sizeof((const char* const[]){__VA_ARGS__}) / sizeof(char*))

static void append_digits(const char* alphabet, unsigned base, unsigned most) {
    char digit[2] = {0};
    for (unsigned count = random_word() % most; count != 0; count--) {
        digit[0] = alphabet[random_word() % base];
        append(digit);
    }
}

// ---- integers ----

// `prefix`: before the digits.
static void make_integer(int base, const char* prefix) {
    text[0] = '\0';
    append(ONE_OF("", "", " ", "\t\n "));
    append(ONE_OF("", "", "-", "+", "+-"));
    append(prefix);
    const unsigned digits = base < 2 ? 10 : (unsigned)base;
    append_digits("0123456789abcdefghijklmnopqrstuvwxyz", digits, random_word() % 4 == 0 ? 70 : 14);
    append(ONE_OF("", "", "g", ".5", " 7", "Z", "_"));
}

static void integers(void) {
    for (unsigned i = 0; i < CALLS; i++) {
        const int base = (int)(random_word() % 37);
        if (base == 1) continue;
        make_integer(base, ONE_OF("", "", "0", "0x", "0X", "00"));
        char *a, *b, *c, *d;
        errno = 0;
        const long signed_long = strtol(text, &a, base);
        const int first = errno == ERANGE;
        errno = 0;
        const unsigned long unsigned_long = strtoul(text, &b, base);
        const int second = errno == ERANGE;
        errno = 0;
        const long long wide = strtoll(text, &c, base);
        const int third = errno == ERANGE;
        errno = 0;
        const unsigned long long unsigned_wide = strtoull(text, &d, base);
        const int fourth = errno == ERANGE;
        printf("%d %s: %ld %d%d %lu %d%d %lld %d%d %llu %d%d\n", base, text, signed_long,
               (int)(a - text), first, unsigned_long, (int)(b - text), second, wide,
               (int)(c - text), third, unsigned_wide, (int)(d - text), fourth);
    }
    const int limits[] = {2, 8, 10, 16};
    for (unsigned i = 0; i < 4; i++) {
        const char* const edges[] = {"2147483647",           "2147483648",
                                     "-2147483648",          "-2147483649",
                                     "4294967295",           "4294967296",
                                     "9223372036854775807",  "-9223372036854775809",
                                     "18446744073709551615", "18446744073709551616"};
        for (unsigned n = 0; n < sizeof edges / sizeof *edges; n++)
            printf("%ld %lu %lld %llu\n", strtol(edges[n], NULL, limits[i]),
                   strtoul(edges[n], NULL, limits[i]), strtoll(edges[n], NULL, limits[i]),
                   strtoull(edges[n], NULL, limits[i]));
    }
}

// ---- floating-point numbers ----

// `sign_of_exponent`: between "e" or "p" and the digits of the exponent, if it has any.
static void make_float(const char* sign_of_exponent) {
    static const char decimal[] = "0123456789", hexadecimal[] = "0123456789abcdefABCDEF";
    text[0] = '\0';
    append(ONE_OF("", "", " "));
    append(ONE_OF("", "", "-", "+"));
    const unsigned form = random_word() % 16;
    if (form == 0) {
        append(ONE_OF("inf", "INFINITY", "infinite", "nan", "NaN", "nan(12)", "nan(", "nan(a b)"));
        return;
    }
    const unsigned most = random_word() % 8 == 0 ? 100 : 20;
    const int is_hexadecimal = form < 8;
    if (is_hexadecimal) append(ONE_OF("0x", "0X"));
    const char* alphabet = is_hexadecimal ? hexadecimal : decimal;
    const unsigned base = is_hexadecimal ? 22 : 10;
    append(ONE_OF("", "", "0", "000"));
    append_digits(alphabet, base, most);
    append(ONE_OF("", ".", ".", ".000000000000"));
    append_digits(alphabet, base, most);
    append(ONE_OF("", is_hexadecimal ? "p" : "e", is_hexadecimal ? "P" : "E",
                  is_hexadecimal ? "e" : "p"));
    append(sign_of_exponent);
    append_digits(decimal, 10, form % 4 == 0 ? 6 : 4);
    append(ONE_OF("", "", "", "x", "."));
}

// Which NaN it is differs between libraries.
static void put_bits(const void* number, unsigned bytes, int is_nan) {
    const unsigned char* const byte = number;
    printf(is_nan ? " nan" : " ");
    while (!is_nan && bytes-- != 0) printf("%02x", byte[bytes]);
}

static void floats(void) {
    for (unsigned i = 0; i < 2 * CALLS; i++) {
        make_float(ONE_OF("", "", "-", "+"));
        char *a, *b, *c;
        errno = 0;
        const double value = strtod(text, &a);
        const int first = errno == ERANGE;
        errno = 0;
        const float single = strtof(text, &b);
        const int second = errno == ERANGE;
        errno = 0;
        const long double extended = strtold(text, &c);
        const int third = errno == ERANGE;
        printf("%s:", text);
        put_bits(&value, sizeof value, value != value);
        put_bits(&single, sizeof single, single != single);
        put_bits(&extended, 10, extended != extended);
        printf(" %d %d %d %d%d%d\n", (int)(a - text), (int)(b - text), (int)(c - text), first,
               second, third);
    }
}

// ---- sscanf. Of "1e-" and "0x" alone C makes no number, but glibc does: each exponent here has a
// digit, and so has each number that begins with 0x. ----

static void scans(void) {
    for (unsigned i = 0; i < CALLS; i++) {
        make_float(ONE_OF("0", "-1", "+2", "-30"));
        double value = 0;
        char rest[40] = "", set[40] = "";
        int taken = -1, number = -7;
        int count = sscanf(text, "%lf%n%39s", &value, &taken, rest);
        printf("%s: %d %d '%s'", text, count, taken, rest);
        put_bits(&value, sizeof value, value != value);
        make_integer(0, ONE_OF("", "", "0", "0x3", "0X0", "00"));
        short small = 0;
        unsigned long long wide = 0;
        count = sscanf(text, ONE_OF("%i %39[^g]", "%d%39[0-9.]", "%3d %39[a-fx]"), &number, set);
        printf(" %s: %d %d '%s'", text, count, number, set);
        count = sscanf(text, ONE_OF("%hx%llo", "%ho%llx", "%hd%llu"), &small, &wide);
        printf(" %d %hd %llu\n", count, small, wide);
    }
}

int main(void) {
    integers();
    floats();
    scans();
    return finish("calls_numbers");
}
