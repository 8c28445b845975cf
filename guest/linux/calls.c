// SPDX-License-Identifier: MIT

// The table of system calls, and what becomes of a number that has no call.

#include "calls.h"

#include "symsim.h"
#include "thread.h"

// Calls that C libraries try, and do without.
static int refused(struct trap_frame* frame) {
    (void)frame;
    return -ENOSYS;
}

static system_call* const calls[] = {
    [1] = call_exit,
    [2] = call_fork,
    [3] = call_read,
    [4] = call_write,
    [5] = call_open,
    [6] = call_close,
    [7] = call_waitpid,
    [13] = call_time,
    [19] = call_lseek,
    [20] = call_getpid,
    [24] = call_getuid,
    [27] = call_alarm,
    [29] = call_pause,
    [33] = call_access,
    [37] = call_kill,
    [41] = call_dup,
    [42] = call_pipe,
    [45] = call_brk,
    [47] = call_getuid,
    [49] = call_getuid,
    [50] = call_getuid,
    [54] = call_ioctl,
    [63] = call_dup2,
    [64] = call_getppid,
    [78] = call_gettimeofday,
    [85] = call_readlink,
    [90] = call_mmap,
    [91] = call_munmap,
    [104] = call_setitimer,
    [105] = call_getitimer,
    [114] = call_wait4,
    [119] = call_sigreturn,
    [120] = call_clone,
    [122] = call_uname,
    [125] = call_mprotect,
    [140] = call_llseek,
    [145] = call_readv,
    [146] = call_writev,
    [158] = call_sched_yield,
    [162] = call_nanosleep,
    [163] = call_mremap,
    [172] = call_prctl,
    [173] = call_rt_sigreturn,
    [174] = call_rt_sigaction,
    [175] = call_rt_sigprocmask,
    [176] = call_rt_sigpending,
    [177] = call_rt_sigtimedwait,
    [179] = call_rt_sigsuspend,
    [186] = call_sigaltstack,
    [190] = call_fork,  // vfork
    [191] = call_ugetrlimit,
    [192] = call_mmap2,
    [197] = call_fstat64,
    [199] = call_getuid,
    [200] = call_getuid,
    [201] = call_getuid,
    [202] = call_getuid,
    [219] = call_madvise,
    [221] = call_fcntl64,
    [224] = call_gettid,
    [238] = call_tkill,
    [240] = call_futex,
    [241] = call_sched_setaffinity,
    [242] = call_sched_getaffinity,
    [243] = call_set_thread_area,
    [252] = call_exit_group,
    [258] = call_set_tid_address,
    [265] = call_clock_gettime,
    [266] = call_clock_getres,
    [267] = call_clock_nanosleep,
    [270] = call_tgkill,
    [295] = call_openat,
    [300] = call_fstatat64,
    [311] = call_set_robust_list,
    [318] = call_getcpu,
    [330] = call_dup3,
    [331] = call_pipe2,
    [340] = call_prlimit64,
    [355] = call_getrandom,
    [383] = call_statx,
    [386] = refused,  // rseq
    [403] = call_clock_gettime64,
    [406] = call_clock_getres64,
    [407] = call_clock_nanosleep64,
    [422] = call_futex_time64,
    [435] = refused,  // clone3
};
#define CALLS (sizeof calls / sizeof calls[0])

// Each number that is missing is named once; those beyond the table share a bit.
static void name_missing(unsigned number, uint32_t eip) {
    static volatile unsigned char named[CALLS + 1];
    if (exchange_byte(&named[number < CALLS ? number : CALLS], 1) != 0) return;
    printf("linux: system call %u is missing (ENOSYS), at eip 0x%x\n", number, eip);
}

static void system_call_interrupt(struct trap_frame* frame) {
    const unsigned number = frame->eax;
    PROBE(PROBE_SYSTEM_CALL, number);
    system_call* call = number < CALLS ? calls[number] : NULL;
    if (call == NULL) name_missing(number, frame->eip);
    frame->unused = number;  // to make the call again after a signal
    frame->eax = call != NULL ? (uint32_t)call(frame) : (uint32_t)-ENOSYS;
    leave_to_user(frame);
}

void setup_calls(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call_interrupt);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
}
