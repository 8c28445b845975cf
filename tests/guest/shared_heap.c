// SPDX-License-Identifier: MIT

// malloc and free by all processors at once: no block is allocated twice, and none is lost.
// Argument: turns, blocks allocated or freed by each processor, default 40.

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define SLOTS 4

struct slot {
    unsigned char* bytes;
    unsigned count;
};

static void check_and_free(struct slot* slot, unsigned char fill) {
    for (unsigned i = 0; i < slot->count; i++) CHECK_EQUAL(slot->bytes[i], fill);
    free(slot->bytes);
    slot->bytes = NULL;
}

static void take_and_give(unsigned processor, void* unused) {
    (void)unused;
    unsigned char fill = (unsigned char)(processor + 1);
    struct slot slots[SLOTS] = {{NULL, 0}};
    unsigned turns = arg_unsigned("turns", 40);
    barrier();
    for (unsigned i = 0; i < turns; i++) {
        struct slot* slot = &slots[random_below(SLOTS)];
        if (slot->bytes != NULL) {
            check_and_free(slot, fill);
            continue;
        }
        slot->count = random_below(60) + 1;
        slot->bytes = malloc(slot->count);
        CHECK(slot->bytes != NULL);
        CHECK_EQUAL((uintptr_t)slot->bytes % 16, 0);
        memset(slot->bytes, fill, slot->count);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i].bytes != NULL) check_and_free(&slots[i], fill);
}

// The largest block available, tried downwards in steps of 64 KB: failed attempts split no block.
static unsigned largest(void) {
    for (unsigned bytes = 64 << 20;; bytes -= 64 << 10) {
        void* block = malloc(bytes);
        free(block);
        if (block != NULL) return bytes;
    }
}

int main(void) {
    unsigned untouched = largest();
    run_on_all(take_and_give, NULL);
    CHECK_EQUAL(largest(), untouched);
    return 0;
}
