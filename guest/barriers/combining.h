// SPDX-License-Identifier: MIT
#pragma once

// Combining tree: Yew, Tzeng and Lawrie, IEEE Trans. Computers C-36(4), 1987; sense-reversing as in
// Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.2, Algorithm 8.
// Idea: each group of four has a counter. The last to arrive in a group continues at the next level
// for the group. On its way back it releases those that wait at the lower levels.
//
//   level 2              [0 .. 3]
//   level 1      [0 .. 3]        [4 .. 7] ...           a node counts down from the number of
//   level 0   [0..3] [4..7]   [16..19] ...              its children that exist
//
// Bus ledger (write-through), P processors and N nodes, N about P / 3, per episode:
//   arrival    P + N - 1 locked decrements, at most four of one line
//   release    2 N stores; P - 1 read misses, at most three of one line
//
// Limits: 64 processors: three levels of four; four levels if built for more.

#define BARRIER_NAME "combining"

#define GROUP_SHIFT 2  // four below each node
#define LEVELS (MAX_PROCESSORS == 64 ? 3 : 4)
_Static_assert(1 << GROUP_SHIFT * LEVELS >= MAX_PROCESSORS, "the top level is one node");

struct node {
    struct barrier_word missing;  // arrivals still to come
    struct barrier_word flag;     // sense of the last complete episode
    LINE_ALIGNED unsigned count;
};

struct barrier {
    struct node nodes[LEVELS][MAX_PROCESSORS >> GROUP_SHIFT];
    LINE_ALIGNED unsigned levels;  // levels in use: the highest has one node
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    do {
        struct node* nodes = barrier->nodes[barrier->levels++];
        for (unsigned i = 0; i < count; i++) nodes[i >> GROUP_SHIFT].count++;
        count = (count + (1 << GROUP_SHIFT) - 1) >> GROUP_SHIFT;
        for (unsigned i = 0; i < count; i++) nodes[i].missing.word = nodes[i].count;
    } while (count > 1);
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned sense = slot->sense, levels = barrier->levels;
    unsigned level = 0, shift = GROUP_SHIFT;
    slot->sense = !sense;
    while (level < levels &&
           barrier_count_down(&barrier->nodes[level][slot->self >> shift].missing.word)) {
        level++;
        shift += GROUP_SHIFT;
    }
    if (level < levels) barrier_spin(&barrier->nodes[level][slot->self >> shift].flag.word, sense);
    while (level-- > 0) {
        shift -= GROUP_SHIFT;
        struct node* node = &barrier->nodes[level][slot->self >> shift];
        node->missing.word = node->count;
        node->flag.word = sense;
    }
}
