// SPDX-License-Identifier: MIT

// Standard input, from input.in: bytes, lines, blocks and numbers, and what happens at its end.

#include <string.h>

#include "check.h"

static void lines(void) {
    char line[16];
    REQUIRE(fgets(line, sizeof line, stdin) == line);
    printf("'%s'", line);
    REQUIRE(fgets(line, 5, stdin) == line);  // a part of the line
    printf("'%s'", line);
    REQUIRE(fgets(line, sizeof line, stdin) == line);  // the rest of it
    printf("'%s'", line);
    REQUIRE(fgets(line, sizeof line, stdin) == line);  // an empty line
    REQUIRE(strcmp(line, "\n") == 0);
    REQUIRE(fgets(line, 1, stdin) == line && line[0] == '\0');
}

static void bytes(void) {
    int byte = getchar();
    REQUIRE(ungetc(byte, stdin) == byte);
    REQUIRE(fgetc(stdin) == byte);
    REQUIRE(ungetc('!', stdin) == '!');  // another byte than was read
    REQUIRE(getc(stdin) == '!');
    REQUIRE(ungetc(EOF, stdin) == EOF);
    printf("%c%c\n", byte, getchar());
    REQUIRE(getchar() == '\n');
    char block[7] = "";
    REQUIRE(fread(block, 2, 3, stdin) == 3);
    printf("%s\n", block);
    REQUIRE(fread(block, 0, 3, stdin) == 0);
}

static void numbers(void) {
    int count = 0;
    REQUIRE(scanf("%d", &count) == 1);
    long long sum = 0;
    for (int n = 0; n < count; n++) {
        int number = 0;
        REQUIRE(scanf("%d", &number) == 1);
        sum += number;
    }
    char word[20];
    double value = 0;
    REQUIRE(scanf(" %19[^=]=%lf", word, &value) == 2);
    printf("%d numbers, sum %lld, %s is %g\n", count, sum, word, value);
    mix64((uint64_t)sum);
    int wrong = 5;
    REQUIRE(fscanf(stdin, "%d", &wrong) == 0 && wrong == 5);  // a word, which stays
    REQUIRE(fscanf(stdin, "%s", word) == 1);
    printf("%s\n", word);
    REQUIRE(getchar() == '\n');
}

static void long_line(void) {
    unsigned length = 0;
    int byte;
    while ((byte = getchar()) != '\n') {
        REQUIRE(byte != EOF);
        mix((uint32_t)byte);
        length++;
    }
    printf("a line of %u bytes\n", length);
}

static void end(void) {
    REQUIRE(!feof(stdin));
    char last[20];
    REQUIRE(fgets(last, sizeof last, stdin) == last);  // without a line break
    printf("'%s'\n", last);
    REQUIRE(feof(stdin) && !ferror(stdin));
    REQUIRE(getchar() == EOF);
    REQUIRE(fgets(last, sizeof last, stdin) == NULL);
    int number = 5;
    REQUIRE(scanf("%d", &number) == EOF && number == 5);
    REQUIRE(ungetc('7', stdin) == '7' && !feof(stdin));
    REQUIRE(scanf("%d", &number) == 1 && number == 7);
    REQUIRE(feof(stdin));
    clearerr(stdin);
    REQUIRE(!feof(stdin));
    REQUIRE(fread(last, 1, 1, stdin) == 0 && feof(stdin));
}

int main(void) {
    lines();
    bytes();
    numbers();
    long_line();
    end();
    return finish("input");
}
