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
    call_getppid, call_set_tid_address, call_set_robust_list, call_set_thread_area,
    call_sched_yield, call_sched_setaffinity, call_sched_getaffinity, call_getcpu;
// process.c
system_call call_wait4, call_waitpid, call_waitid;
// futex_calls.c
system_call call_futex, call_futex_time64;
// memory_calls.c
system_call call_brk, call_mmap, call_mmap2, call_munmap, call_mprotect, call_mremap, call_madvise;
// time_calls.c
system_call call_time, call_gettimeofday, call_clock_gettime, call_clock_gettime64,
    call_clock_getres, call_clock_getres64, call_nanosleep, call_clock_nanosleep,
    call_clock_nanosleep64;
// timers.c
system_call call_alarm, call_setitimer, call_getitimer, call_timer_create, call_timer_settime,
    call_timer_settime64, call_timer_gettime, call_timer_gettime64, call_timer_getoverrun,
    call_timer_delete;
// file_calls.c
system_call call_read, call_write, call_readv, call_writev, call_close, call_dup, call_dup2,
    call_dup3, call_pipe, call_pipe2, call_ioctl, call_fcntl64, call_lseek, call_llseek, call_open,
    call_openat, call_readlink, call_access, call_fstat64, call_fstatat64, call_statx;
// information_calls.c
system_call call_uname, call_times, call_getrusage, call_sysinfo, call_ugetrlimit, call_prlimit64,
    call_getrandom, call_prctl, call_getuid;
// signal_calls.c, signal_frame.c
system_call call_rt_sigaction, call_rt_sigprocmask, call_rt_sigpending, call_tkill, call_tgkill,
    call_kill, call_pause, call_rt_sigsuspend, call_rt_sigtimedwait, call_sigreturn,
    call_rt_sigreturn, call_sigaltstack, call_rt_sigqueueinfo, call_rt_tgsigqueueinfo;
// groups.c
system_call call_setpgid, call_getpgid, call_getpgrp, call_setsid, call_getsid;

// poll.c
system_call call_poll, call_ppoll, call_ppoll64, call_select, call_old_select, call_pselect,
    call_pselect64;
// epoll.c, eventfd.c
system_call call_epoll_create, call_epoll_create1, call_epoll_ctl, call_epoll_wait,
    call_epoll_pwait, call_eventfd, call_eventfd2;

// time_calls.c: Linux's struct timespec, with 32-bit and 64-bit seconds, and its struct timeval
enum time_kind { TIMESPEC, TIMESPEC64, TIMEVAL, MILLISECONDS };
int read_time(uintptr_t from, enum time_kind kind, uint64_t* us);  // -EINVAL if it is none
int write_time(uintptr_t to, enum time_kind kind, uint64_t us);
int read_clock(uint32_t clock, uint64_t* us);
#define TIMER_ABSTIME 1u
// information_calls.c: a struct rusage
int write_usage(uintptr_t to, uint64_t us);
#define REALTIME_BEGIN_US 567993600000000ull  // 1 January 1988: of CLOCK_REALTIME at the start
