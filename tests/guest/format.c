// SPDX-License-Identifier: MIT

// printf and snprintf, the mem and str functions, and the console. format.expect has the output.

#include "string.h"
#include "test.h"

#define CHECK_FORMAT(expected, ...)                                                    \
    do {                                                                               \
        char text[80];                                                                 \
        int length = snprintf(text, sizeof text, __VA_ARGS__);                         \
        if (strcmp(text, expected) != 0) panic("'%s', expected '%s'", text, expected); \
        CHECK_EQUAL((unsigned)length, strlen(expected));                               \
    } while (0)

static void check_conversions(void) {
    CHECK_FORMAT("", "%s", "");
    CHECK_FORMAT("100%", "%u%%", 100u);
    CHECK_FORMAT("-2147483648 4294967295", "%d %u", INT32_MIN, UINT32_MAX);
    CHECK_FORMAT("0 ffffffff", "%x %x", 0u, UINT32_MAX);
    CHECK_FORMAT("18446744073709551615", "%llu", UINT64_MAX);
    CHECK_FORMAT("-9223372036854775808", "%lld", INT64_MIN);
    CHECK_FORMAT("123456789abcdef0", "%llx", 0x123456789ABCDEF0ULL);
    CHECK_FORMAT("7 -7", "%lu %ld", 7ul, -7l);
    CHECK_FORMAT("0xc8000000", "%p", (void*)0xC8000000);
    CHECK_FORMAT("a|bc", "%c|%s", 'a', "bc");
}

static void check_widths(void) {
    CHECK_FORMAT("[   42][42   ][00042]", "[%5d][%-5d][%05d]", 42, 42, 42);
    CHECK_FORMAT("[  -42][-42  ][-0042]", "[%5d][%-5d][%05d]", -42, -42, -42);
    CHECK_FORMAT("[123456]", "[%3u]", 123456u);
    CHECK_FORMAT("[   ab][ab   ]", "[%5s][%-5s]", "ab", "ab");
    CHECK_FORMAT("[  x]", "[%3c]", 'x');
}

// The returned length is the one without truncation; nothing is written past the end.
static void check_cut(void) {
    char text[8] = "-------";
    CHECK_EQUAL((unsigned)snprintf(text, 5, "%s", "abcdefgh"), 8);
    CHECK_EQUAL((unsigned)memcmp(text, "abcd\0--", 8), 0);
}

static void check_bytes(void) {
    char bytes[] = "0123456789";
    memmove(bytes + 2, bytes, 5);
    CHECK_EQUAL((unsigned)strcmp(bytes, "0101234789"), 0);
    memmove(bytes, bytes + 2, 5);
    CHECK_EQUAL((unsigned)strcmp(bytes, "0123434789"), 0);
    memset(bytes, 'x', 3);
    memcpy(bytes + 7, "ab", 2);
    CHECK_EQUAL((unsigned)strcmp(bytes, "xxx3434ab9"), 0);
    CHECK(memcmp("a\xFF", "a\x01", 2) > 0);
    CHECK(strcmp("ab", "abc") < 0);
    CHECK(strcmp("", "") == 0);
}

int main(void) {
    check_conversions();
    check_widths();
    check_cut();
    check_bytes();
    CHECK_EQUAL((unsigned)printf("%s, %d processors\n", "hello", (int)processors()),
                strlen("hello, 1 processors\n"));
    printf("no newline at the end");
    return 0;
}
