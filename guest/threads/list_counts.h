// SPDX-License-Identifier: MIT
#pragma once

// Counts accesses of the local lists of blocks in images with COUNT_LISTS (ALL section 3.3, claim
// ALL-39). The code of all other images is as without this file.
//
// A list here is what a processor does from one access of the central pool to its next. Only lists
// that both begin and end in the run count: nothing before a processor's first access of the pool,
// nothing after its last.

#ifdef COUNT_LISTS

// One line, which no other processor uses while threads run.
struct list_counts {
    LINE_ALIGNED unsigned accesses;  // blocks taken from the local lists or returned to them
    unsigned pool;                   // accesses of the pool
    unsigned first, last;            // `accesses` at the first and the last of them
};

#define LIST_COUNTS struct list_counts counts;
#define LIST_ACCESSED() (void)lists()->counts.accesses++
#define POOL_ACCESSED() list_ended(&lists()->counts, half)
#define ADD_LIST_COUNTS(of, to) add_list_counts(&(of)->counts, to)

// No list may be shorter than `least` accesses.
ALWAYS_INLINE void list_ended(struct list_counts* counts, unsigned least) {
    (void)least;
    if (counts->pool == 0)
        counts->first = counts->accesses;
    else
        THREADS_CHECK(counts->accesses - counts->last >= least, "the pool is used too often");
    counts->pool++;
    counts->last = counts->accesses;
}

ALWAYS_INLINE void add_list_counts(const struct list_counts* of, struct thread_counts* to) {
    if (of->pool == 0) return;
    to->whole_lists += of->pool - 1;
    to->list_accesses += of->last - of->first;
}

#else

#define LIST_COUNTS
#define LIST_ACCESSED() ((void)0)
#define POOL_ACCESSED() ((void)0)
#define ADD_LIST_COUNTS(of, to) ((void)0)

#endif
