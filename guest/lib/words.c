// SPDX-License-Identifier: MIT

// The arguments of main(): the loader writes the words of guest.argv as lines "1=first word" and so
// on behind guest.args, whose names begin with no digit (sim/image/arguments.h).

#include "internal.h"
#include "string.h"
#include "symsim.h"

#define WORDS_MOST 64

extern char symsim_boot_args[];

char** arguments_words(char** program);
int arguments_count(void);

static char* words[1 + WORDS_MOST + 1];

int arguments_count(void) {
    int count = 1;
    for (const char* line = symsim_boot_args; *line != '\0'; line += strlen(line) + 1)
        if (*line >= '0' && *line <= '9') count++;
    return count;
}

char** arguments_words(char** program) {
    unsigned count = 0;
    words[count++] = program[0];
    for (char* line = symsim_boot_args; *line != '\0'; line += strlen(line) + 1) {
        if (*line < '0' || *line > '9') continue;
        if (count > WORDS_MOST) panic("guest.argv: main() gets at most %u words", WORDS_MOST);
        words[count++] = strchr(line, '=') + 1;
    }
    return words;
}
