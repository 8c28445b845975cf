// SPDX-License-Identifier: MIT

// printf: every conversion with flags, widths and precisions, with numbers at the ends of their
// ranges.

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Hides the formats from the compiler, which would replace printf and warn about unusual ones.
static const char* const integer_formats[] = {
    "%d",     "%5d",   "%-5d|",  "%05d",    "%+d",  "% d",   "%+5d", "%.3d", "%8.3d", "%-8.3d|",
    "%08.3d", "%.0d",  "%+.0d",  "%i",      "%u",   "%10u",  "%x",   "%#x",  "%X",    "%#X",
    "%08x",   "%#10x", "%#010x", "%-#10x|", "%.5x", "%#.5x", "%o",   "%#o",  "%#.3o", "%-6o|",
    "%hd",    "%hhd",  "%hu",    "%hhx",    "%ld",  "%lu",   "%zu",  "%td",  "%c",    "%3c|",
};
static const int integers[] = {0, 1, -1, 7, 42, -42, 255, 65535, 65601, INT_MAX, INT_MIN};

static const char* const long_formats[] = {"%lld", "%20lld", "%-22lld|", "%022lld", "%+lld",
                                           "%llu", "%llx",   "%#llX",    "%llo",    "%#.25llo",
                                           "%jd",  "%.0llx", "%30.25lld"};
static const long long longs[] = {
    0, 1, -1, 9999999999, -10000000000, LLONG_MAX, LLONG_MIN, 0x123456789abcdef0};

static const char* const double_formats[] = {
    "%f",      "%.0f",  "%#.0f", "%.1f",   "%.2f",   "%.3f",  "%10.2f", "%-10.2f|",
    "%010.2f", "%+f",   "% f",   "%.15f",  "%.20f",  "%.40f", "%e",     "%.0e",
    "%#.0e",   "%.1e",  "%.3e",  "%15.3e", "%-15e|", "%015e", "%E",     "%.16e",
    "%.17e",   "%.25e", "%g",    "%.0g",   "%.1g",   "%.3g",  "%#.9g",  "%12g",
    "%-12g|",  "%012g", "%+g",   "%G",     "%.15g",  "%.17g", "%.30g",  "%F",
};

static const double doubles[] = {
    0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    3.5,
    0.1,
    0.2,
    0.3,
    0.25,
    0.125,
    1e5,
    123456,
    1234567,
    999999.5,
    0.0001,
    0.00001,
    0.000099999996,
    9.995,
    9.9949999,
    0.05,
    1e15,
    1e16,
    123456789012345678.0,
    1e22,
    1e23,
    1.7976931348623157e308,
    2.2250738585072014e-308,
    5e-324,
    3.14159265358979323846,
    2.718281828459045,
    1.0 / 3.0,
    1e-5,
    9.5,
    10.5,
    99.5,
    999.9995,
    1e100,
    4503599627370496.5,
    0.95,
    5.5e-10,
    8.5,
    1e21,
};

static unsigned checksum = 1;

static void show(const char* text) {
    for (const char* c = text; *c != '\0'; c++) checksum = checksum * 16777619u ^ (unsigned char)*c;
    puts(text);
}

static void show_specials(void) {
    volatile double zero = 0.0;
    const double specials[] = {1 / zero, -1 / zero, -zero};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned f = 0; f < sizeof double_formats / sizeof *double_formats; f += 3) {
            char text[600];
            snprintf(text, sizeof text, double_formats[f], specials[i]);
            show(text);
        }
}

static void show_long_doubles(void) {
    static const char* const formats[] = {"%Lf", "%.3Lf",  "%Le",  "%.20Le",
                                          "%Lg", "%.25Lg", "%.0Lf"};
    static const long double values[] = {0.0L,   1.0L / 3.0L, 1e19L,  18446744073709551615.0L,
                                         1e-30L, -2.5L,       1e300L, 0.1L};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
            char text[400];
            snprintf(text, sizeof text, formats[f], values[i]);
            show(text);
        }
    char text[100];
    snprintf(text, sizeof text, "%.30Le %.30Le", LDBL_MAX, LDBL_MIN);
    show(text);
}

static void show_texts(void) {
    static const char* const formats[] = {"%s|", "%10s|", "%-10s|", "%.3s|", "%10.3s|", "%-10.0s|"};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        char text[40];
        snprintf(text, sizeof text, formats[f], "symmetry");
        show(text);
        snprintf(text, sizeof text, formats[f], "");
        show(text);
    }
    char text[40];
    volatile size_t room = 6;
    int length = snprintf(text, room, "%s, %d", "hello", 12345);
    printf("%d %s %d\n", length, text, snprintf(NULL, 0, "%f", 1e10));
    length = sprintf(text, "%*d|%-*d|%.*f%%", 6, 42, -5, 7, 2, 1.005);
    printf("%d %s %c%c\n", length, text, 'o', 'k');
    printf("%s %p\n", "pointer", (void*)0x1234abcd);
}

int main(void) {
    char text[600];
    for (unsigned f = 0; f < sizeof integer_formats / sizeof *integer_formats; f++)
        for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++) {
            int c = strchr(integer_formats[f], 'c') != NULL;
            snprintf(text, sizeof text, integer_formats[f], c ? 'A' + (int)i : integers[i]);
            show(text);
        }
    for (unsigned f = 0; f < sizeof long_formats / sizeof *long_formats; f++)
        for (unsigned i = 0; i < sizeof longs / sizeof *longs; i++) {
            snprintf(text, sizeof text, long_formats[f], longs[i]);
            show(text);
        }
    for (unsigned f = 0; f < sizeof double_formats / sizeof *double_formats; f++)
        for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++) {
            snprintf(text, sizeof text, double_formats[f], i % 3 == 1 ? -doubles[i] : doubles[i]);
            show(text);
        }
    show_specials();
    show_long_doubles();
    show_texts();
    printf("checksum %08x\n", checksum);
    return 0;
}
