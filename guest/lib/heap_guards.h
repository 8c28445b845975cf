// SPDX-License-Identifier: MIT
#pragma once

// Internal: how the heap of a user's program (flags.txt, user) finds a block that is freed twice,
// or that has been written past its end. Each block's header says whether it is in use, and a guard
// of four bytes follows the bytes that were asked for. Both are checked when the block is
// freed or its size changes. Other images have neither guards nor checks.

#include <stddef.h>

// The header of each block, free or not; its size is the alignment, so that blocks stay aligned.
struct block {
    size_t bytes;        // including this header
    struct block* next;  // in the list of free blocks
    size_t asked;        // of a block in use: bytes that the caller may use
    unsigned mark;
};

#ifdef SYMSIM_USER_PROGRAM

#include <stdint.h>

#include "probes.h"
#include "stdio.h"
#include "symsim.h"

typedef uint32_t __attribute__((aligned(1), may_alias)) guard_word;

#define GUARD_BYTES sizeof(guard_word)
#define GUARD 0xA7C3B5D9u
#define MARK_USED 0x05EDB10Cu
#define MARK_FREE 0xF4EEB10Cu

static guard_word* guard_of(struct block* block) {
    return (guard_word*)((char*)(block + 1) + block->asked);
}

static void begin_use(struct block* block, size_t asked) {
    block->mark = MARK_USED;
    block->asked = asked;
    *guard_of(block) = GUARD;
}

static void end_use(struct block* block) {
    block->mark = MARK_FREE;
}

static _Noreturn void heap_failed(const struct block* block, const char* call, const char* error) {
    static char text[160];
    snprintf(text, sizeof text, "%s(%p): %s", call, (const void*)(block + 1), error);
    PROBE(PROBE_FAILURE, text);
    panic("%s", text);  // where nobody heeds probes
}

static void check_use(struct block* block, const char* call) {
    if ((uintptr_t)block % sizeof *block != 0)
        heap_failed(block, call, "malloc has not returned this pointer");
    if (block->mark == MARK_FREE) heap_failed(block, call, "this block has been freed before");
    if (block->mark != MARK_USED)
        heap_failed(block, call,
                    "malloc has not returned this pointer, or the bytes before the block have been "
                    "overwritten");
    if (*guard_of(block) != GUARD)
        heap_failed(block, call, "the bytes behind the block have been overwritten");
}

#else

#define GUARD_BYTES 0u
#define begin_use(block, asked) ((void)0)
#define end_use(block) ((void)0)
#define check_use(block, call) ((void)0)

#endif
