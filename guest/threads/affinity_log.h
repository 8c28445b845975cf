// SPDX-License-Identifier: MIT
#pragma once

// Logs what affinity models know (guest/include/affinity_log.h) in images with LOG_AFFINITY. The
// code of all other images is as without this file.
//
// Each processor has its own part of the log, written by it alone. What it writes goes through its
// cache, 16 bytes for each thread, and the model knows these misses as it knows all others.

#ifdef LOG_AFFINITY

#include "affinity_log.h"
#include "monitor.h"
#include "placed.h"
#include "stdlib.h"

#define LOGGED_THREADS 256

struct log_entry {
    uint16_t number;  // of the thread; or one of those below
    uint16_t starts, periods;
    uint16_t lines;
    uint32_t words[2];  // of struct affinity; at the three moments the time and the misses
};
_Static_assert(sizeof(struct log_entry) == 16, "as said above");
_Static_assert(sizeof(struct aff_processor) <= sizeof(uint32_t[2]), "fits into the words");

#define LOG_START 0xFFFF
#define LOG_STOP 0xFFFE
#define LOG_BEGIN 0xFFFD
#define LOG_WORD 0xFFFC  // of struct aff_processor

static struct {
    struct placed_thread* thread;
    const void* first;
    uint32_t bytes;
    unsigned lines;
    volatile uint32_t periods;
} logged[LOGGED_THREADS];

static struct {
    PAGE_ALIGNED struct log_entry* entries;
    unsigned count;
    struct log_entry stop;  // of the thread that ran last
} log_of[MAX_PROCESSORS];

static volatile unsigned log_room;  // entries of each processor; 0: nothing is logged

void affinity_log_data(unsigned number, const void* first, uint32_t bytes, unsigned lines) {
    if (number >= LOGGED_THREADS)
        panic("affinity_log: thread %u, room for %u", number, LOGGED_THREADS);
    logged[number].first = first;
    logged[number].bytes = bytes;
    logged[number].lines = lines;
    compiler_barrier();
    logged[number].thread = placed(thread_self());
}

void affinity_log_period(unsigned number) {
    logged[number].periods++;
}

void affinity_log_run(unsigned entries) {
    for (unsigned i = 0; i < processors(); i++) {
        log_of[i].entries = malloc(entries * sizeof(struct log_entry));
        if (log_of[i].entries == NULL) panic("affinity_log: no memory for %u entries", entries);
    }
    log_room = entries;
}

void affinity_log_stop(void) {
    log_room = 0;
}

static struct log_entry* new_entry(unsigned cpu) {
    if (log_of[cpu].count == log_room) panic("affinity_log: room for %u entries only", log_room);
    struct log_entry* entry = &log_of[cpu].entries[log_of[cpu].count++];
    *entry = (struct log_entry){0};
    return entry;
}

static struct log_entry moment(unsigned which) {
    return (struct log_entry){.number = which,
                              .words = {read_register(BOARD_CLOCK_US), monitor_cache_misses()}};
}

ALWAYS_INLINE void affinity_log_stopped(unsigned cpu) {
    if (log_room != 0) log_of[cpu].stop = moment(LOG_STOP);
}

static THREADS_FUNCTION void affinity_logged(unsigned cpu, const struct aff_processor* processor,
                                             const struct placed_thread* starts) {
    if (log_room == 0) return;
    const struct log_entry now = moment(LOG_START);
    *new_entry(cpu) = now;
    struct log_entry* word = new_entry(cpu);
    word->number = LOG_WORD;
    memcpy(word->words, processor, sizeof *processor);
    *new_entry(cpu) = log_of[cpu].stop;
    for (unsigned i = 0; i < LOGGED_THREADS; i++) {
        const struct placed_thread* thread = logged[i].thread;
        if (thread == NULL || thread->place != cpu) continue;
        struct log_entry* entry = new_entry(cpu);
        entry->number = i;
        entry->starts = thread == starts;
        entry->periods = logged[i].periods;
        entry->lines = monitor_lines_of(logged[i].first, logged[i].bytes);
        memcpy(entry->words, &thread->affinity, sizeof thread->affinity);
    }
    struct log_entry* begin = new_entry(cpu);
    *begin = moment(LOG_BEGIN);
}

static void print_entry(unsigned cpu, const struct log_entry* entry) {
    if (entry->number == LOG_START)
        printf("start %u %u %u", cpu, entry->words[0], entry->words[1]);
    else if (entry->number == LOG_WORD)
        printf(" %u\n", entry->words[0]);
    else if (entry->number == LOG_STOP)
        printf("stop %u %u\n", entry->words[0], entry->words[1]);
    else if (entry->number == LOG_BEGIN)
        printf("begin %u %u\n", entry->words[0], entry->words[1]);
    else
        printf("%u %u %u %u %u %u\n", entry->number, entry->starts, entry->periods, entry->lines,
               entry->words[0], entry->words[1]);
}

void affinity_log_print(void) {
    for (unsigned i = 0; i < LOGGED_THREADS; i++)
        if (logged[i].thread != NULL) printf("thread %u %u\n", i, logged[i].lines);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        for (unsigned i = 0; i < log_of[cpu].count; i++) print_entry(cpu, &log_of[cpu].entries[i]);
}

#define AFFINITY_LOG_STOPPED(cpu) affinity_log_stopped(cpu)
#define AFFINITY_LOGGED(cpu, processor, starts) affinity_logged(cpu, processor, starts)

#else

#define AFFINITY_LOG_STOPPED(cpu) ((void)0)
#define AFFINITY_LOGGED(cpu, processor, starts) ((void)0)

#endif
