// SPDX-License-Identifier: MIT
#pragma once

// System calls of Linux on the i386. Number in eax; arguments in ebx, ecx, edx, esi, edi, ebp. Each
// returns what the program gets in eax.

#include <stdint.h>

#include "errors.h"
#include "interrupts.h"

#define SYSTEM_CALL_VECTOR 0x80

typedef int system_call(struct trap_frame* frame);
// A call that one expression answers.
#define CALL(name, ...)                         \
    int call_##name(struct trap_frame* frame) { \
        return __VA_ARGS__;                     \
    }

#define N(number, name) system_call call_##name;
#include "calls.def"
#undef N

int random_out(uintptr_t to, uint32_t bytes);  // how much: at most a page; -EFAULT
// time_calls.c: Linux's struct timespec, with 32-bit and 64-bit seconds, and its struct timeval
enum time_kind { TIMESPEC, TIMESPEC64, TIMEVAL, MILLISECONDS };
int read_time(uintptr_t from, enum time_kind kind, uint64_t* us);  // -EINVAL if it is none
int write_time(uintptr_t to, enum time_kind kind, uint64_t us);
int read_clock(uint32_t clock, uint64_t* us);
#define TIMER_ABSTIME 1u
// information_calls.c: a struct rusage
int write_usage(uintptr_t to, uint64_t us);
#define REALTIME_BEGIN_US 567993600000000ull  // 1 January 1988: of CLOCK_REALTIME at the start
