// SPDX-License-Identifier: MIT

// Which files are watched, and by which threads. A thread that changes a file looks for watches
// afterwards. A thread that waits for a file adds its watch before it looks at the file. So one of
// the two sees what the other has done.

#include "poll.h"

#define BUCKETS 64
#define POLLRDNORM 0x40u
#define POLLWRNORM 0x100u

static struct spinlock lock;
static struct watch* buckets[BUCKETS];  // of objects
static struct pool pool;

static struct watch** bucket_of(const void* object) {
    return &buckets[(uintptr_t)object / LINE_BYTES % BUCKETS];
}

void lock_watches(void) {
    spinlock_acquire(&lock);
}
void unlock_watches(void) {
    spinlock_release(&lock);
}

uint32_t file_events(struct file* file, uint32_t events) {
    uint32_t has = file->kind->poll != NULL ? file->kind->poll(file) : POLLIN | POLLOUT;
    if (has & POLLIN) has |= POLLRDNORM;
    if (has & POLLOUT) has |= POLLWRNORM;
    return has & (events | POLLERR | POLLHUP);
}

static void stir_locked(const void* object, uint32_t events);

static struct queue sleepers;  // their key is the poller

void poller_wake(struct poller* poller) {
    spinlock_acquire(&sleepers.lock);
    poller->changes++;
    queue_wake(&sleepers, poller);
    spinlock_release(&sleepers.lock);
    stir_locked(poller, POLLIN);  // an epoll is an object itself
}

static void stir_locked(const void* object, uint32_t events) {
    for (struct watch* watch = *bucket_of(object); watch != NULL; watch = watch->next) {
        if (watch->object != object || !(events & (watch->events | POLLERR | POLLHUP))) continue;
        watch->changed = true;
        poller_wake(watch->poller);
    }
}

void stir(const void* object, uint32_t events) {
    stores_before_loads();
    if (*(struct watch* volatile*)bucket_of(object) == NULL) return;
    spinlock_acquire(&lock);
    stir_locked(object, events);
    spinlock_release(&lock);
}

struct watch* watch_add(struct poller* poller, struct file* file) {
    struct watch* watch = pool_take(&pool, sizeof *watch);
    if (watch == NULL) return NULL;
    struct watch** bucket = bucket_of(file->object);
    *watch = (struct watch){.next = *bucket,
                            .next_of_poller = poller->watches,
                            .poller = poller,
                            .file = file,
                            .object = file->object};
    poller->watches = *bucket = watch;
    return watch;
}

void watch_remove(struct watch** place) {
    struct watch *watch = *place, **at = bucket_of(watch->object);
    *place = watch->next_of_poller;
    while (*at != watch) at = &(*at)->next;
    *at = watch->next;
    pool_give(&pool, watch);
}

void watches_forget(struct file* file) {
    struct watch** bucket = bucket_of(file->object);
    if (*(struct watch* volatile*)bucket == NULL) return;
    spinlock_acquire(&lock);
    for (struct watch* watch = *bucket; watch != NULL; watch = watch->next)
        if (watch->file == file) watch->file = NULL;
    spinlock_release(&lock);
}

int poll_until(struct poller* poller, uint64_t at, int (*scan)(void* argument), void* argument) {
    for (;;) {
        const unsigned changes = poller->changes;
        const int found = scan(argument);
        if (found != 0) return found;
        if (at == 0 || now_us() >= at) return 0;
        int error = 0;
        this_thread()->key = (uintptr_t)poller;
        deadline_set(at);
        spinlock_acquire(&sleepers.lock);
        if (poller->changes == changes)
            error = sleep_in(&sleepers);
        else
            spinlock_release(&sleepers.lock);
        deadline_clear();
        if (error == -EINTR && signal_interrupts()) return -EINTR;
    }
}
