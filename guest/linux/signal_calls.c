// SPDX-License-Identifier: MIT

#include "calls.h"
#include "thread.h"

#define SET_BYTES 8

// ---- actions and masks ----

int call_rt_sigaction(struct trap_frame* frame) {
    const uint32_t signal = frame->ebx;
    struct process* process = this_thread()->process;
    struct action action, old;
    if (frame->esi != SET_BYTES || signal < 1 || signal > SIGNALS) return -EINVAL;
    if (frame->ecx != 0) {
        if (signal == SIGKILL || signal == SIGSTOP) return -EINVAL;
        if (copy_in(&action, frame->ecx, sizeof action) != 0) return -EFAULT;
    }
    spinlock_acquire(&process->lock);
    old = process->actions[signal - 1];
    if (frame->ecx != 0) process->actions[signal - 1] = action;
    spinlock_release(&process->lock);
    return frame->edx != 0 ? copy_out(frame->edx, &old, sizeof old) : 0;
}

enum how { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };

int call_rt_sigprocmask(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    const uint64_t old = thread->blocked;
    uint64_t set;
    if (frame->esi != SET_BYTES) return -EINVAL;
    if (frame->ecx != 0) {
        if (copy_in(&set, frame->ecx, sizeof set) != 0) return -EFAULT;
        set &= ~UNBLOCKABLE;
        switch (frame->ebx) {
            case SIG_BLOCK:
                thread->blocked |= set;
                break;
            case SIG_UNBLOCK:
                thread->blocked &= ~set;
                break;
            case SIG_SETMASK:
                thread->blocked = set;
                break;
            default:
                return -EINVAL;
        }
    }
    return frame->edx != 0 ? copy_out(frame->edx, &old, sizeof old) : 0;
}

int call_rt_sigpending(struct trap_frame* frame) {
    const struct thread* thread = this_thread();
    const uint64_t set = (thread->pending.set | thread->process->pending.set) & thread->blocked;
    if (frame->ecx > SET_BYTES) return -EINVAL;
    return copy_out(frame->ebx, &set, frame->ecx);
}

// ---- sending ----

bool is_thread(struct thread* thread, int id) {
    return thread->id == id;
}
static bool is_other(struct thread* thread, int id) {
    return is_process(thread, thread->process->id) && thread->process->id != id;
}

struct sending {
    struct signal_information information;
    int process;  // of the thread; 0: any
    int error;
};

static void send_to_thread(struct thread* thread, void* argument) {
    struct sending* sending = argument;
    if (sending->process != 0 && sending->process != thread->process->id)
        sending->error = -ESRCH;
    else if (sending->information.signal != 0)
        sending->error = signal_thread(thread, &sending->information);
}
static void send_to_process(struct thread* thread, void* argument) {
    struct sending* sending = argument;
    if (sending->information.signal != 0)
        sending->error = signal_process(thread->process, &sending->information);
}

static int send(bool (*is)(struct thread* thread, int id), int id, struct sending* sending) {
    if ((uint32_t)sending->information.signal > SIGNALS) return -EINVAL;
    if (!thread_with(id, is, is == is_thread ? send_to_thread : send_to_process, sending))
        return -ESRCH;
    return sending->error;
}

static struct sending from_here(uint32_t signal, int code) {
    return (struct sending){.information = {.signal = (int)signal,
                                            .code = code,
                                            .value = {(uint32_t)this_thread()->process->id}}};
}

int call_tkill(struct trap_frame* frame) {
    struct sending sending = from_here(frame->ecx, SI_TKILL);
    return (int)frame->ebx <= 0 ? -EINVAL : send(is_thread, (int)frame->ebx, &sending);
}

int call_tgkill(struct trap_frame* frame) {
    struct sending sending = from_here(frame->edx, SI_TKILL);
    sending.process = (int)frame->ebx;
    if ((int)frame->ebx <= 0 || (int)frame->ecx <= 0) return -EINVAL;
    return send(is_thread, (int)frame->ecx, &sending);
}

int call_kill(struct trap_frame* frame) {
    const struct process* process = this_thread()->process;
    struct sending sending = from_here(frame->ecx, SI_USER);
    const int id = (int)frame->ebx;
    if (id > 0) {
        const int error = send(is_process, id, &sending);
        return error == -ESRCH && has_child(id) ? 0 : error;
    }
    if (id == -1) return send(is_other, process->id, &sending);
    return send(is_in_group, id == 0 ? process->group : -id, &sending);
}

// The caller says what the handler learns; of others it may not claim to be the kernel.
static int send_queued(bool (*is)(struct thread* thread, int id), uint32_t process, uint32_t id,
                       uint32_t signal, uintptr_t from) {
    struct sending sending = {.process = is == is_thread ? (int)process : 0};
    if (copy_in(&sending.information, from, sizeof sending.information) != 0) return -EFAULT;
    const int code = sending.information.code;
    sending.information.signal = (int)signal;
    if ((code >= 0 || code == SI_TKILL) && (int)process != this_thread()->process->id)
        return -EPERM;
    return send(is, (int)id, &sending);
}

CALL(rt_sigqueueinfo, send_queued(is_process, frame->ebx, frame->ebx, frame->ecx, frame->edx))

int call_rt_tgsigqueueinfo(struct trap_frame* frame) {
    if ((int)frame->ebx <= 0 || (int)frame->ecx <= 0) return -EINVAL;
    return send_queued(is_thread, frame->ebx, frame->ecx, frame->edx, frame->esi);
}

// ---- waiting ----

int call_pause(struct trap_frame* frame) {
    (void)frame;
    sleep_for_signal(NEVER);
    return -EINTR;
}

// The old mask comes back when a handler has its frame.
int mask_begin(uintptr_t mask, uint32_t bytes) {
    struct thread* thread = this_thread();
    uint64_t set;
    if (bytes != SET_BYTES) return -EINVAL;
    if (copy_in(&set, mask, sizeof set) != 0) return -EFAULT;
    thread->blocked_before = thread->blocked;
    thread->blocked = set & ~UNBLOCKABLE;
    thread->suspended = true;
    return 0;
}

void mask_end(int result) {
    struct thread* thread = this_thread();
    if (!thread->suspended || result == -EINTR) return;
    thread->blocked = thread->blocked_before;
    thread->suspended = false;
}

int call_rt_sigsuspend(struct trap_frame* frame) {
    const int error = mask_begin(frame->ebx, frame->ecx);
    if (error) return error;
    sleep_for_signal(NEVER);
    return -EINTR;
}

static int timed_wait(const struct trap_frame* frame, enum time_kind kind) {
    struct thread* thread = this_thread();
    struct signal_information information;
    uint64_t set, us = NEVER;
    if (frame->esi != SET_BYTES) return -EINVAL;
    if (copy_in(&set, frame->ebx, sizeof set) != 0) return -EFAULT;
    if (frame->edx != 0) {
        const int error = read_time(frame->edx, kind, &us);
        if (error) return error;
        us += now_us();
    }
    thread->awaited = set;
    bool taken = signal_take(set, &information);
    int error = 0;
    if (!taken) {
        error = sleep_for_signal(us);
        taken = signal_take(set, &information);
    }
    thread->awaited = 0;
    if (!taken) return error == -ETIMEDOUT ? -EAGAIN : -EINTR;
    uint32_t all[32] = {0};
    __builtin_memcpy(all, &information, sizeof information);
    if (frame->ecx != 0 && copy_out(frame->ecx, all, sizeof all) != 0) return -EFAULT;
    return information.signal;
}
CALL(rt_sigtimedwait, timed_wait(frame, TIMESPEC))
CALL(rt_sigtimedwait64, timed_wait(frame, TIMESPEC64))
