// SPDX-License-Identifier: MIT

// What programs ask of the system and of themselves.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

CALL(getuid, (void)frame, 0)

// The release is below 5.1: programs then take the calls with 32-bit times, which all have.
int call_uname(struct trap_frame* frame) {
    static const char fields[6][65] = {"Linux", "symsim", "4.19.0", "#1 SMP", "i686", "(none)"};
    return copy_out(frame->ebx, fields, sizeof fields);
}

// ---- what was used: all of it is the program's own time, as nobody measures the kernel's ----

#define TICK_US 10000u  // of times()

int call_times(struct trap_frame* frame) {
    struct process* process = this_thread()->process;
    const uint64_t now = now_us();
    const uint32_t ticks[4] = {(uint32_t)(process_ran_us(process, now) / TICK_US), 0,
                               (uint32_t)(process->children_us / TICK_US), 0};
    if (frame->ebx != 0 && copy_out(frame->ebx, ticks, sizeof ticks) != 0) return -EFAULT;
    return (int)(now / TICK_US);
}

int write_usage(uintptr_t to, uint64_t us) {
    const uint32_t rest[16] = {0};
    const int error = write_time(to, TIMEVAL, us);
    return error ? error : copy_out(to + 8, rest, sizeof rest);
}

enum { RUSAGE_CHILDREN = -1, RUSAGE_SELF, RUSAGE_THREAD };

int call_getrusage(struct trap_frame* frame) {
    struct process* process = this_thread()->process;
    switch ((int)frame->ebx) {
        case RUSAGE_CHILDREN:
            return write_usage(frame->ecx, process->children_us);
        case RUSAGE_SELF:
            return write_usage(frame->ecx, process_ran_us(process, now_us()));
        case RUSAGE_THREAD:
            return write_usage(frame->ecx, thread_ran_us(this_thread(), now_us()));
        default:
            return -EINVAL;
    }
}

static void count(struct thread* thread, void* number) {
    (void)thread;
    ++*(uint16_t*)number;
}
static bool is_any(struct thread* thread, int id) {
    (void)thread, (void)id;
    return true;
}

int call_sysinfo(struct trap_frame* frame) {
    struct {
        uint32_t seconds, loads[3], bytes, free, shared, buffers, swap, free_swap;
        uint16_t threads, unused;
        uint32_t high, free_high, unit;
        uint8_t rest[8];
    } info = {.seconds = (uint32_t)(now_us() / 1000000u),
              .bytes = symsim_memory_bytes,
              .free = frames_left() * PAGE_BYTES,
              .unit = 1};
    thread_with(0, is_any, count, &info.threads);
    return copy_out(frame->ebx, &info, sizeof info);
}

// ---- limits ----

#define RLIMIT_STACK 3
#define RLIMIT_FILES 7
#define RLIMITS 16

static uint32_t limit_of(uint32_t which) {
    if (which == RLIMIT_STACK) return STACK_BYTES_MOST;
    return which == RLIMIT_FILES ? FILES_MOST : UINT32_MAX;
}

int call_ugetrlimit(struct trap_frame* frame) {
    if (frame->ebx >= RLIMITS) return -EINVAL;
    const uint32_t limit[2] = {limit_of(frame->ebx), UINT32_MAX};
    return copy_out(frame->ecx, limit, sizeof limit);
}

int call_prlimit64(struct trap_frame* frame) {
    const uint32_t id = frame->ebx;
    if (frame->ecx >= RLIMITS) return -EINVAL;
    if (id != 0 && id != (uint32_t)this_thread()->process->id) return -ESRCH;
    if (frame->edx != 0) return -EPERM;
    if (frame->esi == 0) return 0;
    const uint32_t limit = limit_of(frame->ecx);
    const uint64_t pair[2] = {limit == UINT32_MAX ? UINT64_MAX : limit, UINT64_MAX};
    return copy_out(frame->esi, pair, sizeof pair);
}

int random_out(uintptr_t to, uint32_t bytes) {
    if (bytes > 4096) bytes = 4096;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t word = random_next();
        if (copy_out(to + i, &word, bytes - i < 4 ? bytes - i : 4) != 0) return -EFAULT;
    }
    return (int)bytes;
}

#define GRND_FLAGS 7u
CALL(getrandom, frame->edx & ~GRND_FLAGS ? -EINVAL : random_out(frame->ebx, frame->ecx))

#define PR_SET_NAME 15
#define PR_GET_NAME 16

int call_prctl(struct trap_frame* frame) {
    char* name = this_thread()->name;
    char given[THREAD_NAME_BYTES];
    switch (frame->ebx) {
        case PR_SET_NAME: {
            const int length = copy_text(given, frame->ecx, sizeof given);
            if (length == -EFAULT) return length;
            memset(name, 0, THREAD_NAME_BYTES);
            memcpy(name, given, length < 0 ? THREAD_NAME_BYTES - 1 : (unsigned)length);
            tell_name(this_thread());
            return 0;
        }
        case PR_GET_NAME:
            return copy_out(frame->ecx, name, THREAD_NAME_BYTES);
        default:
            return -EINVAL;
    }
}
