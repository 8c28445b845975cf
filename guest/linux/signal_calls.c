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

static bool is_thread(struct thread* thread, int id) {
    return thread->id == id;
}
static bool is_of_process(struct thread* thread, int id) {
    return thread->process->id == id;
}

static void send_to_thread(struct thread* thread, void* information) {
    if (((struct signal_information*)information)->signal != 0) signal_thread(thread, information);
}
static void send_to_process(struct thread* thread, void* information) {
    if (((struct signal_information*)information)->signal != 0)
        signal_process(thread->process, information);
}

static struct signal_information from_here(uint32_t signal, int code) {
    return (struct signal_information){
        .signal = (int)signal, .code = code, .value = {(uint32_t)this_thread()->process->id, 0}};
}

int call_tkill(struct trap_frame* frame) {
    struct signal_information information = from_here(frame->ecx, SI_TKILL);
    if ((int)frame->ebx <= 0 || frame->ecx > SIGNALS) return -EINVAL;
    return thread_with((int)frame->ebx, is_thread, send_to_thread, &information) ? 0 : -ESRCH;
}

int call_tgkill(struct trap_frame* frame) {
    struct signal_information information = from_here(frame->edx, SI_TKILL);
    if ((int)frame->ebx <= 0 || (int)frame->ecx <= 0 || frame->edx > SIGNALS) return -EINVAL;
    if ((int)frame->ebx != this_thread()->process->id) return -ESRCH;
    return thread_with((int)frame->ecx, is_thread, send_to_thread, &information) ? 0 : -ESRCH;
}

int call_kill(struct trap_frame* frame) {
    struct signal_information information = from_here(frame->ecx, SI_USER);
    int id = (int)frame->ebx;
    if (frame->ecx > SIGNALS) return -EINVAL;
    if (id == 0) id = this_thread()->process->id;  // its group
    return thread_with(id, is_of_process, send_to_process, &information) ? 0 : -ESRCH;
}

// ---- waiting ----

int call_pause(struct trap_frame* frame) {
    (void)frame;
    sleep_for_signal(NEVER);
    return -EINTR;
}

// The old mask comes back when the handler has its frame.
int call_rt_sigsuspend(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    uint64_t set;
    if (frame->ecx != SET_BYTES) return -EINVAL;
    if (copy_in(&set, frame->ebx, sizeof set) != 0) return -EFAULT;
    thread->blocked_before = thread->blocked;
    thread->blocked = set & ~UNBLOCKABLE;
    thread->suspended = true;
    sleep_for_signal(NEVER);
    return -EINTR;
}

int call_rt_sigtimedwait(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    struct signal_information information;
    uint64_t set, us = NEVER;
    if (frame->esi != SET_BYTES) return -EINVAL;
    if (copy_in(&set, frame->ebx, sizeof set) != 0) return -EFAULT;
    if (frame->edx != 0) {
        const int error = read_time(frame->edx, false, &us);
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

// ---- the alarm of a process ----

#define SECOND_US 1000000u

static void alarm_over(struct timer* timer) {
    const struct signal_information information = {.signal = SIGALRM, .code = SI_KERNEL};
    signal_process((struct process*)((char*)timer - offsetof(struct process, alarm)), &information);
}

static uint64_t alarm_left(const struct process* process) {
    const uint64_t now = now_us();
    if (!process->alarm.set) return 0;
    return process->alarm.at > now ? process->alarm.at - now : 1;
}

static void alarm_begin(struct process* process, uint64_t us, uint64_t period) {
    timer_remove(&process->alarm);
    if (us == 0) return;
    process->alarm.at = now_us() + us;
    process->alarm.period = period;
    process->alarm.fire = alarm_over;
    timer_add(&process->alarm);
}

int call_alarm(struct trap_frame* frame) {
    struct process* process = this_thread()->process;
    const uint64_t left = alarm_left(process);
    alarm_begin(process, (uint64_t)frame->ebx * SECOND_US, 0);
    return left != 0 && left < SECOND_US / 2 ? 1 : (int)((left + SECOND_US / 2) / SECOND_US);
}

#define ITIMER_REAL 0
#define ITIMERS 3

static int write_alarm(uintptr_t to, uint64_t left, uint64_t period) {
    if (write_time(to, false, period, 1) != 0) return -EFAULT;
    return write_time(to + 8, false, left, 1);
}

// {seconds, microseconds}
static int read_interval(uintptr_t from, uint64_t* us) {
    uint32_t words[2];
    if (copy_in(words, from, sizeof words) != 0) return -EFAULT;
    *us = (uint64_t)words[0] * SECOND_US + words[1];
    return (int32_t)words[0] >= 0 && words[1] < SECOND_US ? 0 : -EINVAL;
}

// Only the timer of real time: the others count what the processors spend on the process.
int call_setitimer(struct trap_frame* frame) {
    struct process* process = this_thread()->process;
    uint64_t us = 0, period = 0;
    if (frame->ebx != ITIMER_REAL) return frame->ebx < ITIMERS ? -ENOSYS : -EINVAL;
    int error = frame->ecx != 0 ? read_interval(frame->ecx, &period) : 0;
    if (!error && frame->ecx != 0) error = read_interval(frame->ecx + 8, &us);
    if (error) return error;
    const uint64_t left = alarm_left(process), before = process->alarm.period;
    alarm_begin(process, us, period);
    return frame->edx != 0 ? write_alarm(frame->edx, left, before) : 0;
}

int call_getitimer(struct trap_frame* frame) {
    const struct process* process = this_thread()->process;
    if (frame->ebx != ITIMER_REAL) return frame->ebx < ITIMERS ? -ENOSYS : -EINVAL;
    return write_alarm(frame->ecx, alarm_left(process), process->alarm.period);
}
