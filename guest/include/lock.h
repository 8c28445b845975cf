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

#include SYMSIM_LOCK_FILE
