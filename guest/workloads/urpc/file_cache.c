// SPDX-License-Identifier: MIT

// The file cache manager of editor.c: reads the beginning of a block.

#include "urpc.h"

#define BLOCKS 16

static unsigned blocks[BLOCKS][URPC_WORDS];

static int read_block(const unsigned* argument, unsigned words, unsigned* result) {
    if (words != 1 || argument[0] >= BLOCKS) return URPC_FAILED;
    for (unsigned i = 0; i < URPC_WORDS; i++) result[i] = blocks[argument[0]][i];
    return URPC_WORDS;
}

int main(void) {
    static urpc_procedure* const procedures[] = {read_block};
    for (unsigned i = 0; i < BLOCKS; i++) blocks[i][0] = i;
    urpc_serve(procedures, 1);
}
