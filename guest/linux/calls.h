// SPDX-License-Identifier: MIT
#pragma once

// System calls of Linux on the i386. Number in eax; arguments in ebx, ecx, edx, esi, edi, ebp. Each
// returns what the program gets in eax.

#include <stdint.h>

#include "errors.h"
#include "interrupts.h"

#define SYSTEM_CALL_VECTOR 0x80

typedef int system_call(struct trap_frame* frame);

// thread_calls.c
system_call call_exit, call_exit_group, call_clone, call_fork, call_getpid, call_gettid,
    call_getppid, call_set_tid_address, call_set_robust_list, call_set_thread_area;
// scheduling_calls.c
system_call call_sched_yield, call_sched_setaffinity, call_sched_getaffinity, call_getcpu,
    call_sched_setparam, call_sched_getparam, call_sched_setscheduler, call_sched_getscheduler,
    call_sched_get_priority_max, call_sched_get_priority_min, call_sched_rr_get_interval,
    call_sched_rr_get_interval64, call_nice, call_getpriority, call_setpriority;
// process.c
system_call call_wait4, call_waitpid;
// futex_calls.c
system_call call_futex, call_futex_time64;
// memory_calls.c
system_call call_brk, call_mmap, call_mmap2, call_munmap, call_mprotect, call_mremap, call_madvise;
// time_calls.c
system_call call_time, call_gettimeofday, call_clock_gettime, call_clock_gettime64,
    call_clock_getres, call_clock_getres64, call_nanosleep, call_clock_nanosleep,
    call_clock_nanosleep64;
// file_calls.c
system_call call_read, call_write, call_readv, call_writev, call_close, call_dup, call_dup2,
    call_dup3, call_pipe, call_pipe2, call_ioctl, call_fcntl64, call_lseek, call_llseek, call_open,
    call_openat, call_readlink, call_access, call_fstat64, call_fstatat64, call_statx;
// information_calls.c
system_call call_uname, call_ugetrlimit, call_prlimit64, call_getrandom, call_prctl, call_getuid;
// signal_calls.c, signal_frame.c
system_call call_rt_sigaction, call_rt_sigprocmask, call_rt_sigpending, call_tkill, call_tgkill,
    call_kill, call_pause, call_rt_sigsuspend, call_rt_sigtimedwait, call_alarm, call_setitimer,
    call_getitimer, call_sigreturn, call_rt_sigreturn, call_sigaltstack;

// time.c: Linux's struct timespec, with 32-bit and 64-bit seconds
int read_time(uintptr_t from, bool wide, uint64_t* us);  // -EINVAL if it is none
int write_time(uintptr_t to, bool wide, uint64_t us, unsigned unit_ns);
#define REALTIME_BEGIN_US 567993600000000ull  // 1 January 1988: of CLOCK_REALTIME at the start
