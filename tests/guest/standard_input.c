// SPDX-License-Identifier: MIT

// read() and getchar() on several processors: each byte of the input goes to one of them. The input
// is standard_input.expect's: 40 times the letters a to z.

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "test.h"

#define INPUT_BYTES (40 * 26)

static unsigned counts[26];
static volatile unsigned char turn;

static void count(const char* bytes, size_t length) {
    while (exchange_byte(&turn, 1) != 0) {
    }
    for (size_t i = 0; i < length; i++) counts[bytes[i] - 'a']++;
    exchange_byte(&turn, 0);
}

// Blocks, up to half of the input; the read-ahead of getchar() must not lose any.
static void take(unsigned processor, void* unused) {
    (void)unused;
    char block[13];
    if (processor == 0)
        for (int byte; (byte = getchar()) != EOF;) count(&(char){(char)byte}, 1);
    else
        for (ssize_t length; (length = read(STDIN_FILENO, block, sizeof block)) != 0;)
            count(block, (size_t)length);
}

int main(void) {
    char byte = 0;
    CHECK_EQUAL(read(STDOUT_FILENO, &byte, 1), -1);
    CHECK_EQUAL(errno, EBADF);
    CHECK_EQUAL(read(STDIN_FILENO, &byte, 0), 0);
    CHECK(getc(stdout) == EOF && ferror(stdout) && !ferror(stdin));
    run_on_all(take, NULL);
    for (unsigned n = 0; n < 26; n++) CHECK_EQUAL(counts[n], INPUT_BYTES / 26);
    CHECK(feof(stdin));
    CHECK_EQUAL(read(STDIN_FILENO, &byte, 1), 0);
    return 0;
}
