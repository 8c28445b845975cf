// SPDX-License-Identifier: MIT

// malloc under stress: many blocks of random sizes are allocated, filled, grown, shrunk and freed
// in random order. No two blocks may overlap, and no block may change unless it is written.

#include <malloc.h>
#include <string.h>

#include "check.h"

#define SLOTS 60
#define TURNS 1500

struct slot {
    unsigned char* bytes;
    size_t count;
    unsigned char fill;
};

static struct slot slots[SLOTS];

static void check_fill(const struct slot* slot, size_t count) {
    for (size_t i = 0; i < count; i++) REQUIRE(slot->bytes[i] == slot->fill);
}

static void fill(struct slot* slot) {
    slot->fill = (unsigned char)(random_word() >> 24);
    memset(slot->bytes, slot->fill, slot->count);
}

static void check_apart(void) {
    for (int i = 0; i < SLOTS; i++)
        for (int j = 0; j < SLOTS; j++) {
            if (i == j || slots[i].bytes == NULL || slots[j].bytes == NULL) continue;
            REQUIRE(slots[i].bytes + slots[i].count <= slots[j].bytes ||
                    slots[j].bytes + slots[j].count <= slots[i].bytes);
        }
}

static size_t random_size(void) {
    uint32_t word = random_word();
    return word % (word & 0x80000000 ? 40 : 700) + 1;
}

static void turn(void) {
    struct slot* slot = &slots[random_word() % SLOTS];
    if (slot->bytes == NULL) {
        slot->count = random_size();
        slot->bytes = random_word() & 0x10000 ? malloc(slot->count) : calloc(slot->count, 1);
        REQUIRE(slot->bytes != NULL);
        REQUIRE((uintptr_t)slot->bytes % 8 == 0);
        fill(slot);
    } else if (random_word() & 0x10000) {
        check_fill(slot, slot->count);
        size_t count = random_size();
        slot->bytes = realloc(slot->bytes, count);
        REQUIRE(slot->bytes != NULL);
        check_fill(slot, count < slot->count ? count : slot->count);
        slot->count = count;
        fill(slot);
    } else {
        check_fill(slot, slot->count);
        free(slot->bytes);
        slot->bytes = NULL;
    }
    mix((uint32_t)slot->count);
}

// The largest block available, at most 64 MB, tried downwards: failed attempts split no block.
static size_t largest(void) {
    for (size_t bytes = (size_t)1 << 26; bytes != 0; bytes -= 1 << 16) {
        void* volatile block = malloc(bytes);  // volatile, else gcc may remove both calls
        free(block);
        if (block != NULL) return bytes;
    }
    return 0;
}

static void give_all_back(void) {
    for (int i = 0; i < SLOTS; i++) {
        free(slots[i].bytes);
        slots[i].bytes = NULL;
    }
}

static void check_edges(void) {
    free(NULL);
    volatile size_t all = (size_t)-1;
    REQUIRE(malloc(all) == NULL);
    REQUIRE(malloc(all - 8) == NULL);
    volatile size_t half = (size_t)1 << 31;
    REQUIRE(calloc(half, 2) == NULL);
    unsigned char* zeros = calloc(30, 10);
    for (int i = 0; i < 300; i++) REQUIRE(zeros[i] == 0);
    free(zeros);
    char* copy = strdup("a copy");
    REQUIRE(strcmp(copy, "a copy") == 0);
    copy = realloc(copy, 3000);
    REQUIRE(strcmp(copy, "a copy") == 0);
    free(copy);
    int* grown = NULL;
    for (int i = 0; i < 200; i++) {
        grown = realloc(grown, (size_t)(i + 1) * sizeof *grown);
        grown[i] = i * i;
    }
    for (int i = 0; i < 200; i++) mix((uint32_t)grown[i]);
    free(grown);
}

int main(void) {
    size_t untouched = largest();
    for (int i = 0; i < TURNS; i++) {
        turn();
        if (i % 300 == 0) check_apart();
    }
    give_all_back();
    REQUIRE(largest() == untouched);  // all freed blocks have been merged
    check_edges();
    REQUIRE(largest() == untouched);
    return finish("heap");
}
