// SPDX-License-Identifier: MIT
#pragma once

// The strategy this image is built with, one file of guest/threads/strategies/. Its functions are
// inlined into the package's, so no call and no pointer stands between them. Each file gives
//
//   struct own                          what it keeps for each processor; zero at first
//   void strategy_setup(void)           once, before threads run; the processors exist
//   void strategy_create(struct birth)  makes a thread that is ready
//   void strategy_ready(struct thread*) one that was blocked, or yields, is ready again
//   struct thread* strategy_next(struct thread* finished, struct stack* its, struct stack** stack)
//                                       takes back what `finished` had (NULL: nothing to take back)
//                                       and gives a ready thread, with a stack if it has none; NULL
//                                       if there is none
//   bool strategy_idle_look(void)       whether strategy_next is worth trying; while processors
//                                       idle, again and again, in their caches
//   STRATEGY_NAME                       the file's name as text
//
// The operations are the paper's, not those of lists: one strategy takes one lock for all of an
// operation, another a lock for each list.

#include "package.h"

ALWAYS_INLINE struct own* own_of(struct processor* processor);
ALWAYS_INLINE struct own* own(void);

#include SYMSIM_STRATEGY_FILE

// How processors lie in memory.
struct processor_and_own {
    struct processor processor;
    struct own own;
};
extern struct processor_and_own thread_processors[MAX_PROCESSORS];

ALWAYS_INLINE struct own* own_of(struct processor* processor) {
    return &((struct processor_and_own*)processor)->own;
}

ALWAYS_INLINE struct own* own(void) {
    return own_of(this_processor());
}
