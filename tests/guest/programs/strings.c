// SPDX-License-Identifier: MIT

// string.h, strings.h and ctype.h: each function at every alignment, length and offset, against a
// simple implementation here or against the properties that its result must have.

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "check.h"

#define GUARD 0x5A
#define ROOM 64

static unsigned char a[ROOM], b[ROOM], c[ROOM];

// Hides lengths from the compiler, which would otherwise replace the calls.
static volatile size_t hidden;
static size_t hide(size_t value) {
    hidden = value;
    return hidden;
}

static void fill_all(void) {
    for (int i = 0; i < ROOM; i++) {
        a[i] = (unsigned char)(random_word() >> 24);
        b[i] = c[i] = GUARD;
    }
}

static void check_same(void) {
    for (int i = 0; i < ROOM; i++) REQUIRE(b[i] == c[i]);
}

static void check_copies(void) {
    for (size_t to = 0; to < 5; to++)
        for (size_t from = 0; from < 5; from++)
            for (size_t count = 0; count < 20; count += 1 + count / 5) {
                fill_all();
                for (size_t i = 0; i < count; i++) c[to + i] = a[from + i];
                REQUIRE(memcpy(b + to, a + from, hide(count)) == b + to);
                check_same();
                memcpy(b, a, ROOM);
                for (size_t i = 0; i < ROOM; i++) c[i] = a[i];
                for (size_t i = 0; i < count; i++) c[to + i] = a[from + i];
                REQUIRE(memmove(b + to, b + from, hide(count)) == b + to);
                check_same();
                for (size_t i = 0; i < count; i++) c[to + i] = (unsigned char)from;
                REQUIRE(memset(b + to, (int)from | 0x100, hide(count)) == b + to);
                check_same();
            }
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

static void check_comparisons(void) {
    static const char* const texts[] = {"",     "a",     "b",    "ab",        "abc",  "abd",
                                        "\xFF", "a\xFF", "ABC",  "aBd",       "abcd", "abc\0x",
                                        "Z",    "[",     "z{|~", "symmetry 1"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned j = 0; j < sizeof texts / sizeof *texts; j++) {
            const char *x = texts[i], *y = texts[j];
            mix((uint32_t)sign(strcmp(x, y)));
            mix((uint32_t)sign(strcasecmp(x, y)));
            REQUIRE(sign(strcoll(x, y)) == sign(strcmp(x, y)));
            for (size_t most = 0; most < 6; most++) {
                mix((uint32_t)sign(strncmp(x, y, hide(most))));
                mix((uint32_t)sign(strncasecmp(x, y, hide(most))));
                if (most <= strlen(x) && most <= strlen(y))
                    REQUIRE(sign(memcmp(x, y, hide(most))) == sign(strncmp(x, y, hide(most))));
            }
        }
}

// The offset in the text, or -1.
static int place(const char* text, const char* found) {
    return found == NULL ? -1 : (int)(found - text);
}

static void check_searches(void) {
    static const char* const texts[] = {"", "a", "banana", "ananas", "mississippi", "a b,c;;d "};
    static const char* const parts[] = {"", "a", "an", "ana", "nas", "ssi", "issip", "x", " ,;"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char* text = texts[i];
        mix((uint32_t)strlen(text));
        mix((uint32_t)strnlen(text, hide(3)));
        for (int byte = 0; byte < 128; byte += byte == 0 ? 'a' : 1) {
            mix((uint32_t)place(text, strchr(text, byte)));
            mix((uint32_t)place(text, strrchr(text, byte)));
            mix((uint32_t)place(text, memchr(text, byte, hide(strlen(text) + 1))));
        }
        for (unsigned j = 0; j < sizeof parts / sizeof *parts; j++) {
            const char* part = parts[j];
            mix((uint32_t)place(text, strstr(text, part)));
            mix((uint32_t)place(text, strpbrk(text, part)));
            mix((uint32_t)strspn(text, part));
            mix((uint32_t)strcspn(text, part));
        }
    }
    printf("%d %d %d\n", place("mississippi", strstr("mississippi", "issip")),
           (int)strspn("a b,c", "ab "), (int)strcspn("a b,c", ",;"));
}

static void check_building(void) {
    char text[40] = "???????????????????????????????????????";
    REQUIRE(strcpy(text, "one") == text);
    REQUIRE(strcat(text, " two") == text);
    REQUIRE(strncat(text, " three", hide(4)) == text);
    REQUIRE(strcmp(text, "one two thr") == 0 && text[12] == '?');
    REQUIRE(strncpy(text, "abc", hide(6)) == text);
    REQUIRE(memcmp(text, "abc\0\0\0o", 7) == 0);
    REQUIRE(strncpy(text, "abcdefgh", hide(3)) == text);
    REQUIRE(memcmp(text, "abc\0\0\0o", 7) == 0);
    REQUIRE(strxfrm(text, "xyz", 10) == 3 && strcmp(text, "xyz") == 0);
    char* copy = strdup("copied");
    REQUIRE(strcmp(copy, "copied") == 0);
    free(copy);
}

static void check_words(void) {
    char text[] = ",, one,two;; three ;";
    for (char* word = strtok(text, ",; "); word != NULL; word = strtok(NULL, ",; "))
        printf("[%s]", word);
    char outer[] = "a=1&b=22&c=333", *rest, *inner;
    for (char* pair = strtok_r(outer, "&", &rest); pair != NULL;
         pair = strtok_r(NULL, "&", &rest)) {
        char* name = strtok_r(pair, "=", &inner);
        printf("[%s is %s]", name, strtok_r(NULL, "=", &inner));
    }
    printf("\n");
}

static void check_kinds(void) {
    static int (*const kinds[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                                        islower, isprint, ispunct, isspace, isupper, isxdigit};
    for (int byte = -1; byte < 256; byte++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
            bits = bits << 1 | (kinds[i](byte) != 0);
        mix(bits);
        mix((uint32_t)tolower(byte));
        mix((uint32_t)toupper(byte));
    }
}

int main(void) {
    check_copies();
    check_comparisons();
    check_searches();
    check_building();
    check_words();
    check_kinds();
    return finish("strings");
}
