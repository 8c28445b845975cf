// SPDX-License-Identifier: MIT
#pragma once

// Values in the words of a message, for the stubs that `symlab stubs` writes. A value takes whole
// words. What is read has come from another space and may be anything: a reader never reads beyond
// the message, and says at the end whether the message was as expected.

#include <stdbool.h>
#include <string.h>

#include "urpc.h"

struct urpc_writer {
    unsigned* next;
};
struct urpc_reader {
    const unsigned* next;
    unsigned left;  // words
    bool wrong;     // the message was too short, or a count in it too large
};

static inline void urpc_put(struct urpc_writer* out, unsigned word) {
    *out->next++ = word;
}
static inline void urpc_put_bytes(struct urpc_writer* out, const void* from, unsigned bytes) {
    const unsigned words = (bytes + 3) / 4;
    if (bytes % 4 != 0) out->next[words - 1] = 0;
    memcpy(out->next, from, bytes);
    out->next += words;
}

static inline unsigned urpc_get(struct urpc_reader* in) {
    if (in->left == 0) {
        in->wrong = true;
        return 0;
    }
    in->left--;
    return *in->next++;
}
static inline void urpc_get_bytes(struct urpc_reader* in, void* to, unsigned bytes) {
    const unsigned words = (bytes + 3) / 4;
    if (words > in->left) {
        in->wrong = true;
        in->left = 0;
        return;
    }
    memcpy(to, in->next, bytes);
    in->next += words;
    in->left -= words;
}
// The number of an array's elements; 0 if it is more than `most`.
static inline unsigned urpc_get_count(struct urpc_reader* in, unsigned most) {
    const unsigned count = urpc_get(in);
    if (count <= most) return count;
    in->wrong = true;
    return 0;
}
// To be asked after the last value: was that the whole message, and nothing in it wrong?
static inline bool urpc_get_end(const struct urpc_reader* in) {
    return !in->wrong && in->left == 0;
}
