// SPDX-License-Identifier: MIT

// Sleep and wake on a word, as futexes of Linux: who sleeps says which value he has seen.

#include "kernel.h"

#define BUCKETS 16

// Processes asleep, by the word on which they sleep, in order of their arrival.
static struct bucket {
    struct spinlock lock;
    struct process* first;
} buckets[BUCKETS];

static struct bucket* bucket_of(volatile unsigned* word) {
    return &buckets[(uintptr_t)word / LINE_BYTES % BUCKETS];
}

bool sleep_on(volatile unsigned* word, unsigned value) {
    struct process* process = this_processor()->current;
    struct bucket* bucket = bucket_of(word);
    spinlock_acquire(&bucket->lock);
    if (*word != value) {
        spinlock_release(&bucket->lock);
        return false;
    }
    process->sleeps_on = word;
    process->next = NULL;
    struct process** end = &bucket->first;
    while (*end != NULL) end = &(*end)->next;
    *end = process;
    block_process(&bucket->lock);  // released when the process is off its stack
    return true;
}

unsigned wake_sleepers(volatile unsigned* word, unsigned count) {
    struct bucket* bucket = bucket_of(word);
    struct process* woken = NULL;
    struct process** last = &woken;
    unsigned number = 0;
    spinlock_acquire(&bucket->lock);
    for (struct process** link = &bucket->first; *link != NULL && number < count;) {
        struct process* process = *link;
        if (process->sleeps_on != word) {
            link = &process->next;
            continue;
        }
        *link = process->next;
        process->next = NULL;
        *last = process;
        last = &process->next;
        number++;
    }
    spinlock_release(&bucket->lock);
    while (woken != NULL) {
        struct process* process = woken;
        woken = process->next;
        PROBE(PROBE_PROCESS_WAKE, process->number);
        make_ready(process);
    }
    return number;
}
