// SPDX-License-Identifier: MIT

// Functions that programs for Unix systems use beside those of the C standard: rand48, the byte
// functions of BSD, setvbuf, difftime.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "check.h"

static void print_random(void) {
    for (int i = 0; i < 3; i++) {
        printf("%.17g", drand48());
        printf(" %ld", lrand48());
        printf(" %ld\n", mrand48());
        mix((uint32_t)lrand48());
    }
}

static void test_bytes(void) {
    char text[] = "abcdefgh";
    bcopy(text, text + 2, 5);
    REQUIRE(strcmp(text, "ababcdeh") == 0);
    bcopy(text + 2, text, 5);
    REQUIRE(strcmp(text, "abcdedeh") == 0);
    REQUIRE(bcmp(text, "abcdex", 5) == 0 && bcmp(text, "abcdex", 6) != 0);
    REQUIRE(index(text, 'd') == text + 3 && rindex(text, 'd') == text + 5);
    REQUIRE(index(text, 'x') == NULL && rindex(text, '\0') == text + 8);
    bzero(text + 1, 3);
    REQUIRE(memcmp(text, "a\0\0\0edeh", 9) == 0);
}

int main(void) {
    static char buffer[BUFSIZ];
    REQUIRE(setvbuf(stdout, buffer, _IOFBF, sizeof buffer) == 0);
    print_random();
    long seeds[] = {1, 0, -1, 0x12345678};
    for (unsigned i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        srand48(seeds[i]);
        print_random();
    }
    test_bytes();
    REQUIRE(difftime(7, 9) == -2.0);
    return finish("unix");
}
