// SPDX-License-Identifier: MIT

// Clocks and sleep. Time is the simulated machine's, from its start on.

#include "calls.h"
#include "string.h"
#include "thread.h"

#define SECOND_US 1000000u

int read_time(uintptr_t from, enum time_kind kind, uint64_t* us) {
    uint32_t words[4];  // seconds, and a part of one; TIMESPEC64: two words each
    const bool wide = kind == TIMESPEC64;
    const uint32_t unit = kind == TIMEVAL ? 1 : 1000;  // of the part, in a microsecond
    if (copy_in(words, from, wide ? 16 : 8) != 0) return -EFAULT;
    const uint32_t part = words[wide ? 2 : 1];
    const int64_t seconds =
        wide ? (int64_t)((uint64_t)words[1] << 32 | words[0]) : (int64_t)(int32_t)words[0];
    if (seconds < 0 || part >= SECOND_US * unit) return -EINVAL;
    *us = seconds < (int64_t)1 << 40 ? (uint64_t)seconds * SECOND_US + (part + unit - 1) / unit
                                     : NEVER;
    return 0;
}

int write_time(uintptr_t to, enum time_kind kind, uint64_t us) {
    const bool wide = kind == TIMESPEC64;
    const uint64_t seconds = us / SECOND_US;
    const uint32_t part = (uint32_t)(us - seconds * SECOND_US) * (kind == TIMEVAL ? 1 : 1000);
    const uint32_t words[4] = {(uint32_t)seconds, wide ? (uint32_t)(seconds >> 32) : part, part, 0};
    return copy_out(to, words, wide ? 16 : 8);
}

enum clock {
    CLOCK_REALTIME = 0,
    CLOCK_MONOTONIC = 1,
    CLOCK_PROCESS_CPU = 2,
    CLOCK_THREAD_CPU = 3,
    CLOCK_MONOTONIC_RAW = 4,
    CLOCK_REALTIME_COARSE = 5,
    CLOCK_MONOTONIC_COARSE = 6,
    CLOCK_BOOTTIME = 7,
};

struct cpu_time {
    bool of_thread;
    uint64_t now, us;
};

static void read_cpu_time(struct thread* thread, void* argument) {
    struct cpu_time* time = argument;
    time->us = time->of_thread ? thread_ran_us(thread, time->now)
                               : process_ran_us(thread->process, time->now);
}

// The clock of a process or thread, whose number is in the clock's: of the caller if that is 0.
static int read_cpu_clock(uint32_t clock, uint64_t* us) {
    struct cpu_time time = {(clock & 4) != 0, *us, 0};
    const int id = (int)~(clock >> 3 | 7u << 29);
    if ((clock & 3) == 3) return -EINVAL;
    if (id == 0)
        read_cpu_time(this_thread(), &time);
    else if (!thread_with(id, time.of_thread ? is_thread : is_process, read_cpu_time, &time))
        return -EINVAL;
    *us = time.us;
    return 0;
}

int read_clock(uint32_t clock, uint64_t* us) {
    *us = now_us();
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
            *us += REALTIME_BEGIN_US;
            return 0;
        case CLOCK_PROCESS_CPU:
            return read_cpu_clock(~7u | 2, us);
        case CLOCK_THREAD_CPU:
            return read_cpu_clock(~7u | 6, us);
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_BOOTTIME:
            return 0;
        default:
            return (int)clock < 0 ? read_cpu_clock(clock, us) : -EINVAL;
    }
}

static int get_clock(const struct trap_frame* frame, bool wide) {
    uint64_t us;
    const int error = read_clock(frame->ebx, &us);
    return error ? error : write_time(frame->ecx, wide, us);
}

CALL(clock_gettime, get_clock(frame, false))
CALL(clock_gettime64, get_clock(frame, true))

static int get_resolution(const struct trap_frame* frame, bool wide) {
    uint64_t us;
    const int error = read_clock(frame->ebx, &us);
    if (error || frame->ecx == 0) return error;
    return write_time(frame->ecx, wide, 1);
}

CALL(clock_getres, get_resolution(frame, false))
CALL(clock_getres64, get_resolution(frame, true))

int call_time(struct trap_frame* frame) {
    const uint32_t seconds = (uint32_t)((now_us() + REALTIME_BEGIN_US) / SECOND_US);
    if (frame->ebx != 0 && write_word(frame->ebx, seconds) != 0) return -EFAULT;
    return (int)seconds;
}

int call_gettimeofday(struct trap_frame* frame) {
    const uint32_t zone[2] = {0, 0};
    if (frame->ebx != 0 && write_time(frame->ebx, TIMEVAL, now_us() + REALTIME_BEGIN_US) != 0)
        return -EFAULT;
    return frame->ecx != 0 ? copy_out(frame->ecx, zone, sizeof zone) : 0;
}

// ---- sleep ----

static int sleep_until(uint64_t at, uintptr_t left, bool wide) {
    if (sleep_for_signal(at) == -ETIMEDOUT) return 0;
    const uint64_t now = now_us();
    if (left != 0 && write_time(left, wide, at > now ? at - now : 0) != 0) return -EFAULT;
    return -EINTR;
}

int call_nanosleep(struct trap_frame* frame) {
    uint64_t us;
    const int error = read_time(frame->ebx, false, &us);
    return error ? error : sleep_until(now_us() + us, frame->ecx, false);
}

static int clock_sleep(const struct trap_frame* frame, bool wide) {
    uint64_t now, us;
    int error = read_clock(frame->ebx, &now);
    if (!error &&
        ((int)frame->ebx < 0 || frame->ebx == CLOCK_THREAD_CPU || frame->ebx == CLOCK_PROCESS_CPU))
        error = -EINVAL;
    if (!error) error = read_time(frame->edx, wide, &us);
    if (error) return error;
    if (!(frame->ecx & TIMER_ABSTIME)) return sleep_until(now_us() + us, frame->esi, wide);
    return us <= now ? 0 : sleep_until(now_us() + (us - now), 0, wide);
}

CALL(clock_nanosleep, clock_sleep(frame, false))
CALL(clock_nanosleep64, clock_sleep(frame, true))
