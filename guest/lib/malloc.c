// SPDX-License-Identifier: MIT

// The heap: one list of free blocks in address order, first fit, adjacent free blocks joined.
// One processor at a time uses it (heap_taken).

#include <stdint.h>

#include "errno.h"
#include "heap_guards.h"
#include "internal.h"
#include "stdlib.h"
#include "string.h"

#define UNIT sizeof(struct block)
_Static_assert(UNIT == 16, "malloc promises an alignment of 16, what gcc counts on");

static struct { LINE_ALIGNED volatile unsigned char byte; } heap_taken;

// Head of the list, before all blocks; it is never allocated or joined.
static struct block first;
static int begun;

static struct block* end_of(struct block* block) {
    return (struct block*)((char*)block + block->bytes);
}

static void begin(void) {
    struct heap heap = heap_bounds();
    first.next = (struct block*)heap.begin;
    first.next->bytes = (size_t)(heap.end - heap.begin);
    first.next->next = NULL;
    begun = 1;
}

// Allocates `bytes` from the end of the first free block that is large enough. So the rest of the
// block keeps its place in the list.
static struct block* take(size_t bytes) {
    for (struct block* before = &first; before->next != NULL; before = before->next) {
        struct block* block = before->next;
        if (block->bytes < bytes) continue;
        if (block->bytes == bytes) {
            before->next = block->next;
            return block;
        }
        block->bytes -= bytes;
        block = end_of(block);
        block->bytes = bytes;
        return block;
    }
    return NULL;
}

static void join_with_next(struct block* block) {
    if (block == &first || end_of(block) != block->next) return;
    block->bytes += block->next->bytes;
    block->next = block->next->next;
}

static void give_back(struct block* block) {
    struct block* before = &first;
    while (before->next != NULL && before->next < block) before = before->next;
    block->next = before->next;
    before->next = block;
    join_with_next(block);
    join_with_next(before);
}

void* malloc(size_t bytes) {
    struct block* block = NULL;
    if (bytes <= SIZE_MAX - 2 * UNIT - GUARD_BYTES) {
        take_turn(&heap_taken.byte);
        if (!begun) begin();
        block = take((bytes + GUARD_BYTES + UNIT - 1) / UNIT * UNIT + UNIT);
        if (block != NULL) begin_use(block, bytes);
        give_turn_back(&heap_taken.byte);
    }
    if (block != NULL) return block + 1;
    errno = ENOMEM;
    return NULL;
}

void free(void* bytes) {
    if (bytes == NULL) return;
    take_turn(&heap_taken.byte);
    check_use((struct block*)bytes - 1, "free");
    end_use((struct block*)bytes - 1);
    give_back((struct block*)bytes - 1);
    give_turn_back(&heap_taken.byte);
}

void* calloc(size_t count, size_t bytes) {
    if (bytes != 0 && count > SIZE_MAX / bytes) {
        errno = ENOMEM;
        return NULL;
    }
    void* block = malloc(count * bytes);
    if (block != NULL) memset(block, 0, count * bytes);
    return block;
}

void* realloc(void* old, size_t bytes) {
    if (old == NULL) return malloc(bytes);
    check_use((struct block*)old - 1, "realloc");
    size_t room = ((struct block*)old)[-1].bytes - UNIT - GUARD_BYTES;
    if (bytes <= room && bytes >= room / 2) {
        begin_use((struct block*)old - 1, bytes);
        return old;
    }
    void* block = malloc(bytes);
    if (block == NULL) return NULL;
    memcpy(block, old, bytes < room ? bytes : room);
    free(old);
    return block;
}
