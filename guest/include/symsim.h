// SPDX-License-Identifier: MIT
#pragma once

// What a guest program has besides the C library (stdio.h and others in this folder), on one page.
// `int main(void)` runs on processor 0 while the others wait; its result is the exit status of the
// run. Locks: lock.h. Probes: probes.h. Memory order: ordering.h.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"

// ---- processors ----
unsigned processor(void);   // the calling one, 0 .. processors() - 1
unsigned processors(void);  // number of processors
typedef void symsim_work(unsigned processor, void* argument);
// On each, here too; returns when all are done.
void run_on_all(symsim_work* function, void* argument);
// By processor 0, on another processor.
void start_on(unsigned processor, symsim_work* function, void* argument);
void wait_for(unsigned processor);  // waits until the work of start_on is done
void barrier(void);                 // for work of run_on_all: returns after all have called it

// ---- time ----
uint32_t clock_us(void);  // simulated microseconds since the start; costs at most a cache hit

// ---- arguments: [guest.args] of the config file ----
unsigned arg_unsigned(const char* name, unsigned fallback);
const char* arg_string(const char* name, const char* fallback);

// ---- output ----
// All of C's conversions except %a and %n. Floating-point conversions need #include <stdio.h> in
// some file of the program. The text of one call is not interleaved with others'.
__attribute__((format(printf, 1, 2))) int printf(const char* format, ...);
__attribute__((format(printf, 3, 4))) int snprintf(char* to, size_t size, const char* format, ...);
void report(const char* name, uint64_t value);  // a number for guest.results in summary.json
void report_signed(const char* name, int64_t value);
void report_thousandths(const char* name, int64_t value);  // 5600 is reported as 5.600

// ---- end of the run ----
_Noreturn void exit(int status);  // ends the run for all processors; 0 means success
__attribute__((format(printf, 1, 2))) _Noreturn void panic(const char* format, ...);

// ---- random numbers: from run.seed and the processor's number, identical in every run ----
uint32_t random_next(void);             // 1 .. 2^32 - 1
uint32_t random_below(uint32_t limit);  // 0 .. limit - 1
