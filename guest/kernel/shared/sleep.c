// SPDX-License-Identifier: MIT

// Sleep and wake on a word, as futexes of Linux: who sleeps says which value he has seen.

#include "symsim.h"
#include "task.h"

#define BUCKETS 16

// Tasks asleep, by the word on which they sleep.
static struct bucket {
    struct spinlock lock;
    struct list sleepers;
} buckets[BUCKETS];

static struct bucket* bucket_of(volatile unsigned* word) {
    return &buckets[(uintptr_t)word / LINE_BYTES % BUCKETS];
}

bool sleep_on(volatile unsigned* word, unsigned value) {
    struct task* task = this_processor()->current;
    struct bucket* bucket = bucket_of(word);
    spinlock_acquire(&bucket->lock);
    if (*word != value) {
        spinlock_release(&bucket->lock);
        return false;
    }
    task->sleeps_on = word;
    list_put(&bucket->sleepers, &task->link);
    block_task(&bucket->lock);
    return true;
}

// Moves at most `count` tasks that sleep on the word to the list `woken`; returns how many.
static unsigned take_sleepers(struct list* sleepers, volatile unsigned* word, unsigned count,
                              struct list* woken) {
    unsigned number = 0;
    struct link *before = NULL, *next;
    for (struct link* link = sleepers->first; link != NULL && number < count; link = next) {
        next = link->next;
        if (((struct task*)link)->sleeps_on == word) {
            list_take_after(sleepers, before, link);
            list_put(woken, link);
            number++;
        } else {
            before = link;
        }
    }
    return number;
}

unsigned wake_sleepers(volatile unsigned* word, unsigned count) {
    struct bucket* bucket = bucket_of(word);
    struct list woken = {NULL, NULL};
    spinlock_acquire(&bucket->lock);
    const unsigned number = take_sleepers(&bucket->sleepers, word, count, &woken);
    spinlock_release(&bucket->lock);
    for (struct task* task; (task = (struct task*)list_take(&woken)) != NULL;) {
        PROBE(PROBE_PROCESS_WAKE, task->number);
        make_ready(task);
    }
    return number;
}
