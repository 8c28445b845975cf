// SPDX-License-Identifier: MIT
#pragma once

// The lock with which this image is built: one file of guest/locks/, named by LOCK in
// symsim_guest(). Each of these files defines
//
//   struct lock, LOCK_INIT            the lock; `static struct lock mine = LOCK_INIT;`
//   struct lock_slot                  memory for one acquisition, provided by the caller
//   void lock_acquire(struct lock*, struct lock_slot*)
//   bool lock_try(struct lock*, struct lock_slot*)     acquires it if it is free, never waits
//   void lock_release(struct lock*, struct lock_slot*) with the slot of the acquisition
//
// and declares what the lock is. Builds, tests, `symlab list locks`, docs/reference/locks.md and
// figures follow from these lines, which CMake and symlab read (guest/catalogue.cmake): a `#define`
// of its own line, in the lock's file or in one that it includes, the former first.
//
//   LOCK_NAME                         the file's name as text; a file without it is only a part of
//                                     locks. In `#ifndef` if other files or builds name the lock
//   LOCK_ALIAS "tas"                  further names by which users find the lock, separated by
//                                     spaces; results have the file's name
//   LOCK_FIFO arrival                 if waiters get the lock in the order of their arrival, within
//                                     the time of an atomic instruction
//   LOCK_USURPER 1                    with LOCK_FIFO arrival: a processor that arrives while the
//   lock
//                                     is being released may go before those that wait
//   LOCK_FIFO numbers                 if they get it in the order of numbers that they take under a
//                                     small lock (number.h)
//   LOCK_HAS_TRY 0                    if there is no lock_try
//   LOCK_ISA i486                     if the lock needs processor.isa = "i486"
//   LOCK_RELEASE exchange             if each release is a locked instruction: no later load comes
//                                     before the section's stores are visible (ordering.h rule 4)
//   LOCK_RELEASE store                if a release may be a plain store (rule 3), the default
//   LOCK_PARAMETER LOCK_SLOTS 1 4     if the lock has a parameter, an integer macro. NAME-7 is then
//                                     the lock NAME with LOCK_SLOTS 7. Images are built with the
//                                     values that follow, 1 and 4
//   LOCK_KERNEL 1                     if only programs of processes can have it (process.h)
//   LOCK_SPECIAL "reason"             if "all" locks leave this one out: no image is built of it

#include SYMSIM_LOCK_FILE

#define LOCK_JOIN_(a, b) a##b
#define LOCK_JOIN(a, b) LOCK_JOIN_(a, b)

// 1 with LOCK_FIFO arrival, else 0.
#ifndef LOCK_FIFO
#define LOCK_FIFO no
#endif
#define LOCK_FIFO_BY_arrival 1
#define LOCK_FIFO_BY_numbers 0
#define LOCK_FIFO_BY_no 0
#define LOCK_SERVES_IN_ORDER_OF_ARRIVAL LOCK_JOIN(LOCK_FIFO_BY_, LOCK_FIFO)

#ifndef LOCK_RELEASE
#define LOCK_RELEASE store
#endif
#define LOCK_RELEASE_BY_store 1
#define LOCK_RELEASE_BY_exchange 0
#define LOCK_RELEASE_IS_STORE LOCK_JOIN(LOCK_RELEASE_BY_, LOCK_RELEASE)

#ifndef LOCK_HAS_TRY
#define LOCK_HAS_TRY 1
#elif !LOCK_HAS_TRY
// After `if (LOCK_HAS_TRY)` a program may call lock_try with every lock: unreachable calls compile.
_Bool lock_try(struct lock*, struct lock_slot*)
    __attribute__((error("this lock has no lock_try, see its file")));
#endif
