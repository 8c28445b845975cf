// SPDX-License-Identifier: MIT
#pragma once

// A log of what the affinity model knows of threads, and of what is true: how many lines of its
// data each has in the processor's cache. In programs of the strategy memory-conscious that are
// built with LOG_AFFINITY, on machines with monitor.present (guest/threads/affinity_log.h).

#include <stdint.h>

// The calling thread's data, and its number in the log, from 0: once, before its first period. The
// data are `lines` lines of the range, which nobody else uses.
void affinity_log_data(unsigned number, const void* first, uint32_t bytes, unsigned lines);
// The calling thread begins its next period of work.
void affinity_log_period(unsigned number);
// From now on starts of threads are logged, on all processors; or no longer.
void affinity_log_run(unsigned entries);
void affinity_log_stop(void);
// Prints the log while no thread runs: each thread's data, then what each processor has logged, one
// processor after the other. At each start of a thread it has
//
//     start PROCESSOR TIME_US MISSES WORD
//     stop TIME_US MISSES                      when the thread before stopped
//     NUMBER STARTS PERIODS LINES WORD WORD    for each thread that ran last on this processor
//     begin TIME_US MISSES                     the thread runs
//
// after `thread NUMBER DATA` for each, its lines of data. MISSES: the processor's count. WORD: the
// first word of struct aff_processor and the two of struct affinity, 0 beyond their end. STARTS: 1
// for the thread that starts. PERIODS: those that it has begun. LINES: of its data in the cache.
void affinity_log_print(void);
