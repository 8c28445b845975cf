// SPDX-License-Identifier: MIT

// The calls about processors and priorities.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

int call_sched_yield(struct trap_frame* frame) {
    (void)frame;
    if (run_queue_has(read_register(BOARD_PROCESSOR))) give_up_turn();
    return 0;
}

int call_getcpu(struct trap_frame* frame) {
    if (frame->ebx != 0 && write_word(frame->ebx, read_register(BOARD_PROCESSOR)) != 0)
        return -EFAULT;
    if (frame->ecx != 0 && write_word(frame->ecx, 0) != 0) return -EFAULT;
    return 0;
}

static bool is_id(struct thread* thread, int id) {
    return id == 0 ? thread == this_thread() : thread->id == id;
}

// ---- affinity ----

static bool is_empty(const struct processor_set* set) {
    uint32_t some = 0;
    for (unsigned i = 0; i < sizeof set->words / 4; i++) some |= set->words[i];
    return some == 0;
}

static void use_affinity(struct thread* thread, void* set) {
    if (is_empty(set)) return;
    memcpy(&thread->affinity, set, sizeof thread->affinity);
    thread_place(thread);
}

// The other processors look which threads they may run now, and whether they may keep their own.
int call_sched_setaffinity(struct trap_frame* frame) {
    struct processor_set set = {{0}};
    const struct processor_set all = all_processors();
    if (copy_in(&set, frame->edx, frame->ecx < sizeof set ? frame->ecx : sizeof set) != 0)
        return -EFAULT;
    for (unsigned i = 0; i < sizeof set.words / 4; i++) set.words[i] &= all.words[i];
    if (!thread_with((int)frame->ebx, is_id, use_affinity, &set)) return -ESRCH;
    if (is_empty(&set)) return -EINVAL;
    leave_processor();
    for (unsigned i = 0; i < processors(); i++)
        if (i != read_register(BOARD_PROCESSOR)) kick(i);
    return 0;
}

static void read_affinity(struct thread* thread, void* set) {
    memcpy(set, &thread->affinity, sizeof thread->affinity);
}

int call_sched_getaffinity(struct trap_frame* frame) {
    struct processor_set set;
    const uint32_t most = frame->ecx;
    if (most % 4 != 0 || most * 8 < processors()) return -EINVAL;
    if (!thread_with((int)frame->ebx, is_id, read_affinity, &set)) return -ESRCH;
    const uint32_t bytes = most < sizeof set ? most : sizeof set;
    return copy_out(frame->edx, &set, bytes) != 0 ? -EFAULT : (int)bytes;
}

// ---- policies and priorities: all threads are of SCHED_OTHER, and nice 0 ----

enum scheduling { SCHED_OTHER, SCHED_FIFO, SCHED_RR, SCHED_DEADLINE = 6 };
#define NO_POLICY 4

static bool is_real_time(uint32_t scheduling) {
    return scheduling == SCHED_FIFO || scheduling == SCHED_RR;
}

static int level(uint32_t scheduling, int of_real_time) {
    if (scheduling > SCHED_DEADLINE || scheduling == NO_POLICY) return -EINVAL;
    return is_real_time(scheduling) ? of_real_time : 0;
}

int call_sched_get_priority_max(struct trap_frame* frame) {
    return level(frame->ebx, 99);
}

int call_sched_get_priority_min(struct trap_frame* frame) {
    return level(frame->ebx, 1);
}

static void use_nothing(struct thread* thread, void* unused) {
    (void)thread, (void)unused;
}

static int find(uint32_t id) {
    if ((int)id < 0) return -EINVAL;
    return thread_with((int)id, is_id, use_nothing, NULL) ? 0 : -ESRCH;
}

int call_sched_getscheduler(struct trap_frame* frame) {
    const int error = find(frame->ebx);
    return error ? error : SCHED_OTHER;
}

int call_sched_getparam(struct trap_frame* frame) {
    const int error = frame->ecx != 0 ? find(frame->ebx) : -EINVAL;
    return error ? error : write_word(frame->ecx, 0);
}

static int set_scheduling(uint32_t id, uint32_t scheduling, uintptr_t parameter) {
    uint32_t wanted;
    if ((int)id < 0 || (int)scheduling < 0 || parameter == 0) return -EINVAL;
    if (read_word(parameter, &wanted) != 0) return -EFAULT;
    const int error = find(id), most = level(scheduling, 99);
    if (error || most < 0) return error ? error : most;
    if (wanted > (uint32_t)most || (wanted == 0) == is_real_time(scheduling)) return -EINVAL;
    return scheduling == SCHED_OTHER ? 0 : -EPERM;
}

int call_sched_setscheduler(struct trap_frame* frame) {
    return set_scheduling(frame->ebx, frame->ecx, frame->edx);
}

int call_sched_setparam(struct trap_frame* frame) {
    return set_scheduling(frame->ebx, SCHED_OTHER, frame->ecx);
}

static int interval(const struct trap_frame* frame, bool wide) {
    const int error = find(frame->ebx);
    return error ? error : write_time(frame->ecx, wide ? TIMESPEC64 : TIMESPEC, quantum_us());
}

int call_sched_rr_get_interval(struct trap_frame* frame) {
    return interval(frame, false);
}

int call_sched_rr_get_interval64(struct trap_frame* frame) {
    return interval(frame, true);
}

#define WHICH_MOST 2  // a process, a group, a user

int call_getpriority(struct trap_frame* frame) {
    if (frame->ebx > WHICH_MOST) return -EINVAL;
    return frame->ebx == 0 && find(frame->ecx) != 0 ? -ESRCH : 20;  // 20 - nice
}

int call_setpriority(struct trap_frame* frame) {
    const int before = call_getpriority(frame);
    return before < 0 ? before : frame->edx == 0 ? 0 : -EPERM;
}

int call_nice(struct trap_frame* frame) {
    return frame->ebx == 0 ? 0 : -EPERM;
}
