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
//   LOCK_NAME                         the file's name as text
//   LOCK_HAS_TRY 0                    if there is no lock_try
//   LOCK_ISA i486                     if the lock needs processor.isa = "i486"
//   LOCK_RELEASE exchange             if each release is a locked instruction: no later load comes
//                                     before the section's stores are visible (ordering.h rule 4)
//   LOCK_RELEASE store                if a release may be a plain store (rule 3), the default

#include SYMSIM_LOCK_FILE

#ifndef LOCK_RELEASE
#define LOCK_RELEASE store
#endif
#define LOCK_RELEASE_BY_store 1
#define LOCK_RELEASE_BY_exchange 0
#define LOCK_JOIN_(a, b) a##b
#define LOCK_JOIN(a, b) LOCK_JOIN_(a, b)
#define LOCK_RELEASE_IS_STORE LOCK_JOIN(LOCK_RELEASE_BY_, LOCK_RELEASE)

#ifndef LOCK_HAS_TRY
#define LOCK_HAS_TRY 1
#elif !LOCK_HAS_TRY
// After `if (LOCK_HAS_TRY)` a program may call lock_try with every lock: unreachable calls compile.
_Bool lock_try(struct lock*, struct lock_slot*)
    __attribute__((error("this lock has no lock_try, see its file")));
#endif
