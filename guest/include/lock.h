// SPDX-License-Identifier: MIT
#pragma once

// The lock this image is built with: one file of guest/locks/, named by LOCK in symsim_guest().
// Each file there gives
//
//   struct lock, LOCK_INIT            the lock; `static struct lock mine = LOCK_INIT;`
//   struct lock_slot                  what one acquisition needs beside it; the caller provides it
//   void lock_acquire(struct lock*, struct lock_slot*)
//   bool lock_try(struct lock*, struct lock_slot*)     takes it if it is free, never waits
//   void lock_release(struct lock*, struct lock_slot*) same slot as at the acquisition
//   LOCK_NAME                         the file's name as text
//   LOCK_HAS_TRY 0                    if there is no lock_try
//   LOCK_ISA i486                     if it needs processor.isa = "i486"

#include SYMSIM_LOCK_FILE

#ifndef LOCK_HAS_TRY
#define LOCK_HAS_TRY 1
#elif !LOCK_HAS_TRY
// Behind `if (LOCK_HAS_TRY)` a program may name it for every lock.
_Bool lock_try(struct lock*, struct lock_slot*)
    __attribute__((error("this lock has no lock_try, see its file")));
#endif
