// SPDX-License-Identifier: MIT

// The window manager of editor.c: draws a line of text.

#include "urpc.h"

#define SCREEN_LINES 24
#define LINE_WORDS URPC_WORDS

static unsigned screen[SCREEN_LINES][LINE_WORDS];
static unsigned lines;

static int draw(const unsigned* argument, unsigned words, unsigned* result) {
    (void)result;
    unsigned* line = screen[lines++ % SCREEN_LINES];
    for (unsigned i = 0; i < words; i++) line[i] = argument[i];
    return 0;
}

int main(void) {
    static urpc_procedure* const procedures[] = {draw};
    urpc_serve(procedures, 1);
}
