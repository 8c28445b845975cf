// SPDX-License-Identifier: MIT
#pragma once

// Waiting until open files are ready, or something happens to one.

#include "files.h"
#include "thread.h"

#define POLLNVAL 32u

// Who waits: a call, or an epoll. `changes`: how often something has happened to what it watches.
struct poller {
    volatile unsigned changes;
    struct watch* watches;
};

struct watch {
    struct watch *next, *next_of_poller;  // of those of its object, among others
    struct poller* poller;
    struct file* file;  // NULL: it has been closed
    const void* object;
    uint32_t number, events;
    uint64_t data;  // of an epoll
    bool changed;   // since an epoll has told of it
};

// Returns what of `events`, and which errors, the file has.
uint32_t file_events(struct file* file, uint32_t events);
// Something that `events` name has happened to the object of files. Call without its lock.
void stir(const void* object, uint32_t events);

void watches_forget(struct file* file);  // before it is closed

// Call these between lock_watches() and unlock_watches().
void lock_watches(void);
void unlock_watches(void);
struct watch* watch_add(struct poller* poller, struct file* file);  // NULL: no memory
void watch_remove(struct watch** place);                            // in the poller's list
void poller_wake(struct poller* poller);

// Calls `scan` until it returns not 0, something has happened in between, or `at`: then 0.
int poll_until(struct poller* poller, uint64_t at, int (*scan)(void* argument), void* argument);
