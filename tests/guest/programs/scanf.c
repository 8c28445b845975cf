// SPDX-License-Identifier: MIT

// sscanf: each conversion, with widths, lengths, suppression, sets and texts that do not fit.

#include <stddef.h>
#include <string.h>

#include "check.h"

// Prints the number of conversions and two integers, which are -7 where nothing was stored.
#define INTEGERS(text, format)                                      \
    do {                                                            \
        int a = -7, b = -7;                                         \
        int done = sscanf(text, format, &a, &b);                    \
        printf("'%s' '%s': %d, %d %d\n", text, format, done, a, b); \
        mix((uint32_t)done), mix((uint32_t)a), mix((uint32_t)b);    \
    } while (0)

#define TEXTS(text, format)                                                       \
    do {                                                                          \
        char a[80] = "unset", b[80] = "unset";                                    \
        int done = sscanf(text, format, a, b);                                    \
        printf("'%s' '%s': %d, '%s' '%s'\n", text, format, done, a, b);           \
        for (unsigned n = 0; n < sizeof a; n++) mix((uint32_t)(a[n] + 3 * b[n])); \
    } while (0)

static void integers(void) {
    INTEGERS("12 -34", "%d%d");
    INTEGERS("  12\n\t+34", "%d %d");
    INTEGERS("12,34", "%d,%d");
    INTEGERS("12 ,34", "%d,%d");
    INTEGERS("12 ,34", "%d ,%d");
    INTEGERS("1234", "%2d%d");
    INTEGERS("-1234", "%2d%d");
    INTEGERS("12x", "%d%d");
    INTEGERS("x12", "%d%d");
    INTEGERS("", "%d%d");
    INTEGERS("   ", "%d%d");
    INTEGERS("12", "%d%d");
    INTEGERS("- 12", "%d%d");
    INTEGERS("0x1F 077", "%i%i");
    INTEGERS("0X1f 0", "%x%x");
    INTEGERS("ff -1", "%x%x");
    INTEGERS("779 99", "%o%d");
    INTEGERS("089", "%i%d");
    INTEGERS("4294967295 4294967295", "%u%x");
    INTEGERS("2147483647 -2147483648", "%d%d");
    INTEGERS("5 6 7", "%*d%d%d");
    INTEGERS("100%200", "%d%%%d");
    INTEGERS("100 200", "%d%%%d");
    INTEGERS("abc 5", "%n%*s%d");
    INTEGERS("a 1 b", "a%d%n");
    INTEGERS("value=17;", "value=%d;%n");
    INTEGERS("3/4/5", "%d/%d");
}

static void lengths(void) {
    unsigned char bytes[4] = {1, 1, 1, 1};
    unsigned short shorts[2] = {1, 1};
    long wide = 0;
    long long wider = 0;
    unsigned long long widest = 0;
    size_t size = 0;
    ptrdiff_t difference = 0;
    int done = sscanf("300 70000 -5 -9223372036854775808 18446744073709551615 44 -45",
                      "%hhd %hd %ld %lld %llu %zu %td", (signed char*)bytes, (short*)shorts, &wide,
                      &wider, &widest, &size, &difference);
    printf("%d: %u %u %u %u %ld %lld %llu %zu %td\n", done, bytes[0], bytes[1], shorts[0],
           shorts[1], wide, wider, widest, size, difference);
    mix64((uint64_t)wider + widest);
    done = sscanf("123456789abcdef0 777 0x10", "%llx %ho %lli", &widest, &shorts[1], &wider);
    printf("%d: %llx %o %lld\n", done, widest, shorts[1], wider);
    mix64(widest);
    void* pointer = NULL;
    done = sscanf("0xC8000000", "%p", &pointer);
    printf("%d: %p\n", done, pointer);
}

static void floats(void) {
    static const char* const texts[] = {
        "1",        "-2.5",       "+.5",    "5.",
        "1e3",      "1.5E-3x",    "0.1",    "12345678901234567890",
        "1e40",     "1e-320",     "inf",    "-INFINITY",
        "nan",      "x",          "",       ".",
        "-",        "1e400",      "3.4e38", "1 2",
        "0.000001", "99999999.5",
    };
    for (unsigned n = 0; n < sizeof texts / sizeof *texts; n++) {
        float single = -7;
        double twice = -7;
        long double extended = -7;
        int done = sscanf(texts[n], "%f", &single);
        done = 10 * done + sscanf(texts[n], "%lf", &twice);
        done = 10 * done + sscanf(texts[n], "%Lg", &extended);
        printf("'%s': %d, %.9g %.17g %.21Lg\n", texts[n], done, (double)single, twice, extended);
    }
    double a = 0, b = 0;
    int done = sscanf("3.14159,2.71828", "%4lf%*[^,],%lf", &a, &b);
    printf("%d: %g %g\n", done, a, b);
}

static void texts(void) {
    TEXTS("hello  world", "%s%s");
    TEXTS("hello  world", "%3s%s");
    TEXTS("  hello", "%s%s");
    TEXTS("", "%s%s");
    TEXTS("key = some value", "%[a-z] = %[^\n]");
    TEXTS("[x-y]", "[%[^]]%s");
    TEXTS("]ab", "%[]a]%s");
    TEXTS("a-b", "%[a-]%s");
    TEXTS("-ab", "%[-a]%s");
    TEXTS("12ab34", "%[0-9]%[a-z]");
    TEXTS("12ab34", "%[a-z]%s");
    TEXTS("12ab34", "%1[0-9]%[0-9]");
    TEXTS("abcdef gh", "%*3c%s%s");
    TEXTS("skip this one two", "%*s %*s %s%s");
    char characters[] = "-----";
    int done = sscanf(" ab", "%c", characters);
    printf("%d '%s'\n", done, characters);
    done = sscanf(" ab", " %2c", characters);
    printf("%d '%s'\n", done, characters);
    done = sscanf("abc", "%5c", characters);
    printf("%d '%s'\n", done, characters);
    mix((uint32_t)characters[2]);
}

int main(void) {
    integers();
    lengths();
    floats();
    texts();
    return finish("scanf");
}
