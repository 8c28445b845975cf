// SPDX-License-Identifier: MIT

// Generated calls of printf, of the string functions, of ctype.h, of qsort and bsearch, and of the
// random numbers that C and POSIX define exactly.

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "check.h"

#define CALLS 400  // of each kind of printf
#define TEXTS 600  // pairs of texts

static const char* one_of(const char* const* words, unsigned count) {
    return words[random_word() % count];
}
#define ONE_OF(...)                            \
    one_of((const char* const[]){__VA_ARGS__}, \
           sizeof((const char* const[]){__VA_ARGS__}) / sizeof(char*))

// ---- printf: "%", flags, width, precision, and a conversion ----

static char format[40];

static void make_format(const char* length, const char* conversion) {
    strcpy(format, "<%");
    for (unsigned flags = random_word() % 4; flags != 0; flags--)
        strcat(format, ONE_OF("-", "0", "#", "+", " "));
    strcat(format, ONE_OF("", "", "1", "7", "20"));
    strcat(format, ONE_OF("", "", ".", ".0", ".1", ".5", ".17", ".30"));
    strcat(format, length);
    strcat(format, conversion);
    strcat(format, ">");
}

static uint64_t some_bits(void) {
    const uint64_t bits = (uint64_t)random_word() << 32 | random_word();
    return bits >> random_word() % 64;
}

static double some_double(void) {
    const double edges[] = {0.0,
                            -0.0,
                            1.0,
                            0.5,
                            1.5,
                            2.5,
                            9.5,
                            0.1,
                            1e22,
                            1e23,
                            5e-324,
                            2.2250738585072014e-308,
                            1.7976931348623157e308,
                            __builtin_inf(),
                            -__builtin_inf(),
                            __builtin_nan(""),
                            0x1.fffffffffffffp0,
                            0x0.8p-1022};
    const unsigned which = random_word() % 60;
    if (which < sizeof edges / sizeof *edges) return edges[which];
    union {
        uint64_t bits;
        double value;
    } any = {(uint64_t)random_word() << 32 | random_word()};
    if (which < 40)
        any.bits = (any.bits & 0x800fffffffffffffull) | (uint64_t)(1023 - 40 + random_word() % 80)
                                                            << 52;
    return any.value;
}

static void put_formatted(const char* text, int length, int again) {
    printf("%s %d %d %s\n", format, length, again, text);
}

#define PUT(...)                                                                     \
    do {                                                                             \
        char text[400], cut[8];                                                      \
        const int length = snprintf(text, sizeof text, format, __VA_ARGS__);         \
        put_formatted(text, length, snprintf(cut, sizeof cut, format, __VA_ARGS__)); \
    } while (0)

static void formats(void) {
    for (unsigned i = 0; i < CALLS; i++) {
        const uint64_t bits = some_bits();
        const char* const integer = ONE_OF("d", "i", "u", "o", "x", "X");
        make_format(ONE_OF("", "hh", "h", "l", "z", "t"), integer);
        PUT((unsigned)bits);
        make_format(ONE_OF("ll", "j"), integer);
        PUT(bits);
        const double number = some_double();
        make_format("", ONE_OF("f", "F", "e", "E", "g", "G", "a", "A"));
        PUT(number);
        // A long double with all 64 bits of its significand.
        long double extended = (long double)number + (long double)number / 3 * 0x1p-53L;
        if (number == 0 || number != number) extended = number;
        make_format("L", ONE_OF("f", "e", "g", "G", "a", "A"));
        if (strchr(format, 'f') == NULL || (number < 1e60 && number > -1e60)) PUT(extended);
        make_format("", ONE_OF("s", "c", "p"));
        if (strchr(format, 'c') != NULL) PUT('a' + (int)(bits % 26));
        if (strchr(format, 's') != NULL)
            PUT(ONE_OF("", "x", "some text", "longer than twenty characters"));
    }
    char text[80];
    snprintf(text, sizeof text, "%*d|%-*d|%.*f|%%", 5, 42, -6, 43, 2, 3.14159);
    printf("%s\n", text);
}

// ---- strings ----

static void make_text(char* text, unsigned most) {
    const unsigned length = random_word() % most;
    for (unsigned i = 0; i < length; i++) text[i] = "aAbB,. \xe4"[random_word() % 8];
    text[length] = '\0';
}

static int sign(int order) {
    return (order > 0) - (order < 0);
}

static int place(const char* text, const char* found) {
    return found == NULL ? -1 : (int)(found - text);
}

static void texts(void) {
    for (unsigned i = 0; i < TEXTS; i++) {
        char a[40], b[12], c[80];
        make_text(a, 30);
        make_text(b, 5);
        const unsigned n = random_word() % 8;
        const int byte = "aB,\xe4"[n % 5];
        printf("%d %d %d %d %d", sign(strcmp(a, b)), sign(strncmp(a, b, n)),
               sign(memcmp(a, b, strlen(b))), sign(strcasecmp(a, b)), sign(strncasecmp(a, b, n)));
        printf(" %d %d %d %d", place(a, strchr(a, byte)), place(a, strrchr(a, byte)),
               place(a, strstr(a, b)), place(a, memchr(a, byte, n)));
        printf(" %d %d %d %d", (int)strspn(a, b), (int)strcspn(a, b), place(a, strpbrk(a, b)),
               (int)strnlen(a, n));
        memset(c, '#', sizeof c);
        strncpy(c, a, n);
        c[20] = '\0';
        printf(" '%s'", c);
        strcpy(c, b);
        strncat(c, a, n);
        printf(" '%s' %d", c, place(c, stpcpy(c, a)));
        memmove(c + n / 2, c, strlen(c) + 1);
        printf(" '%s'", c);
        char* rest;
        for (char* word = strtok_r(a, b, &rest); word != NULL; word = strtok_r(NULL, b, &rest))
            printf(" [%s]", word);
        printf("\n");
    }
}

static void bytes(void) {
    for (int c = -1; c < 256; c++)
        printf("%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", !!isalnum(c), !!isalpha(c), !!isblank(c),
               !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c),
               !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
}

// ---- sorting and searching: elements that are alike look alike ----

static int compare(const void* a, const void* b) {
    const int first = *(const int*)a, second = *(const int*)b;
    return (first > second) - (first < second);
}

static void sorts(void) {
    int numbers[60];
    for (unsigned i = 0; i < 40; i++) {
        const unsigned count = random_word() % 60;
        for (unsigned n = 0; n < count; n++) numbers[n] = (int)(random_word() % 50);
        qsort(numbers, count, sizeof *numbers, compare);
        const int wanted = (int)(random_word() % 50);
        const int* const found = bsearch(&wanted, numbers, count, sizeof *numbers, compare);
        printf("%d:", found == NULL ? -1 : *found);
        for (unsigned n = 0; n < count; n++) printf(" %d", numbers[n]);
        printf("\n");
    }
}

static void divisions(void) {
    for (unsigned i = 0; i < 60; i++) {
        const int a = (int)some_bits(), b = (int)(some_bits() | 1);
        const long long c = (long long)some_bits(), d = (long long)(some_bits() | 1);
        if (b == -1 || d == -1) continue;
        const div_t small = div(a, b);
        const lldiv_t wide = lldiv(c, d);
        printf("%d %d %lld %lld %lld\n", small.quot, small.rem, wide.quot, wide.rem, llabs(c));
    }
}

static void random_numbers(void) {
    for (int seed = -2; seed < 3; seed++) {
        srand48(seed);
        for (unsigned i = 0; i < 10; i++)
            printf("%ld %ld %.17g\n", lrand48(), mrand48(), drand48());
    }
}

int main(void) {
    formats();
    texts();
    bytes();
    sorts();
    divisions();
    random_numbers();
    return finish("calls_text");
}
