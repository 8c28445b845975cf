// SPDX-License-Identifier: MIT
#pragma once

// For hostile spaces: what they do with the memory of a channel, and until when.

#include "space.h"
#include "symsim.h"
#include "threads.h"
#include "urpc/channel.h"

// The run ends with the last space, so a hostile one ends when its victim has.
static inline bool continues(int victim) {
    return space_info(victim)->state != SPACE_ENDED;
}

static inline uint32_t any(void) {
    static uint32_t state;
    if (state == 0) state = 0x9e3779b9 + (uint32_t)space_self();
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// A word as a slot could have it: one that is nearly right, or any.
static inline uint32_t any_word(void) {
    static const uint32_t words[] = {0, 1, 3, 5, 31, 33, URPC_WORDS, URPC_WORDS + 1, 1u << 31, -1u};
    const uint32_t which = any() % 16;
    return which < sizeof words / sizeof words[0] ? words[which] : any();
}

static inline void scribble(struct urpc_message* message) {
    message->words = (int)any_word();
    message->procedure = any_word();
    for (unsigned i = 0; i < URPC_WORDS; i++) message->data[i] = any();
    message->number = any_word();
}

// The memory that the two share, once both have asked for it.
static inline struct urpc_shared* share_with(int other, int server) {
    void* memory = NULL;
    while (continues(other) &&
           space_share(other, (unsigned)server, URPC_PAGES, &memory) != SHARE_MAPPED)
        thread_yield();
    return memory;
}
