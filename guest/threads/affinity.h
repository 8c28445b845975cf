// SPDX-License-Identifier: MIT
#pragma once

// The affinity model with which this image is built: one file of guest/threads/affinity/ (AFFINITY
// in symsim_guest()). It decides in which order a processor runs its threads (MTH sections 5
// and 7.1.4). Each file declares AFFINITY_NAME, the file's name as text, and defines
//
//   struct affinity       of each thread, at most 8 bytes; of no meaning before a thread has run
//   struct aff_processor  of each processor, initially zero
//   void aff_setup(void)  called before threads run
//   void aff_thread_stopped(struct affinity*, struct aff_processor*)
//                         the thread has blocked, yielded or finished on this processor
//   void aff_thread_started(struct affinity*, struct aff_processor*, enum aff_arrival)
//                         the thread is about to run on this processor
//   bool aff_greater(const struct affinity* a, const struct affinity* b,
//                    const struct aff_processor*)
//                         has a the higher affinity than b to this processor? Both have stopped
//                         here or were woken for it. Another processor may ask, too

#include "package.h"

enum aff_arrival {
    AFF_BACK,   // where it ran last
    AFF_MOVED,  // from another processor
    AFF_NEW     // runs for the first time
};

#ifndef SYMSIM_AFFINITY_FILE
#define SYMSIM_AFFINITY_FILE "threads/affinity/none.h"
#endif
#include SYMSIM_AFFINITY_FILE

_Static_assert(sizeof(struct affinity) <= 8, "placed.h has no more room");
