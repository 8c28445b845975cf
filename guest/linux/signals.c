// SPDX-License-Identifier: MIT

// Signals: sent to a thread or a process, taken, and delivered on the way to ring 3.

#include "signals.h"

#include "calls.h"
#include "symsim.h"
#include "thread.h"

static bool is_ignored(const struct process* process, int signal) {
    const uint32_t handler = process->actions[signal - 1].handler;
    if (handler != SIG_DFL) return handler == SIG_IGN;
    return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static bool stops(const struct process* process, int signal) {
    return (STOPS & signal_bit(signal)) && process->actions[signal - 1].handler == SIG_DFL;
}

// While a process is stopped, only its end proceeds.
bool signal_waits(const struct thread* thread) {
    uint64_t pending = thread->pending.set | thread->process->pending.set;
    if (thread->process->stopped) pending &= signal_bit(SIGKILL);
    return (pending & (~thread->blocked | thread->awaited)) != 0;
}

// The thread looks at its signals soon, whether it sleeps or runs.
static void notify(struct thread* thread) {
    end_sleep(thread, -EINTR);
    for (unsigned i = 0; i < processors(); i++)
        if (kernel_processors[i].current == &thread->task && i != read_register(BOARD_PROCESSOR))
            kick(i);
}

// ---- stopped processes ----

static struct queue stopped_threads;

static void drop_all(struct process* process, uint64_t set) {
    signals_drop(&process->pending, set);
    for (struct thread* at = process->threads; at != NULL; at = at->next_of_process)
        signals_drop(&at->pending, set);
}

static void resume(struct process* process, bool tell) {
    if (!process->stopped) return;
    process->continued = tell;
    process->stopped = false;
    spinlock_acquire(&stopped_threads.lock);
    queue_wake(&stopped_threads, process);
    spinlock_release(&stopped_threads.lock);
    for (struct thread* at = process->threads; at != NULL; at = at->next_of_process)
        if (signal_waits(at)) notify(at);
}

// Signals that stop and one that continues cancel each other when they are sent.
static void cancel_others(struct process* process, int signal) {
    if (signal == SIGCONT || signal == SIGKILL) {
        drop_all(process, STOPS);
        resume(process, signal == SIGCONT);
    } else if (STOPS & signal_bit(signal)) {
        drop_all(process, signal_bit(SIGCONT));
    }
}

static void stay_stopped(struct process* process) {
    this_thread()->key = (uintptr_t)process;
    while (process->stopped && !must_end(this_thread())) {
        deadline_set(NEVER);
        spinlock_acquire(&stopped_threads.lock);
        if (process->stopped)
            sleep_in(&stopped_threads);
        else
            spinlock_release(&stopped_threads.lock);
    }
    if (process->continued && exchange_byte(&process->continued, false))
        process_tell(process, CONTINUED_STATUS);
}

// ---- sent ----

// To the process, or to `only` this thread of it. An ignored signal is not kept, unless a thread
// blocks it and may want it later.
static int send(struct process* process, struct thread* only,
                const struct signal_information* information) {
    const uint64_t bit = signal_bit(information->signal);
    struct thread* taker = NULL;
    bool blocked = false;
    int error = 0;
    spinlock_acquire(&process->lock);
    cancel_others(process, information->signal);
    for (struct thread* at = only != NULL ? only : process->threads; at != NULL;
         at = only != NULL ? NULL : at->next_of_process) {
        blocked |= (at->blocked & bit) != 0;
        if (!(at->blocked & bit) || (at->awaited & bit)) taker = at;
    }
    const bool kept = blocked || !is_ignored(process, information->signal);
    if (kept) error = pending_add(only != NULL ? &only->pending : &process->pending, information);
    stores_before_loads();
    if (kept && taker != NULL && signal_waits(taker)) notify(taker);
    spinlock_release(&process->lock);
    return error;
}

int signal_thread(struct thread* thread, const struct signal_information* information) {
    return send(thread->process, thread, information);
}

int signal_process(struct process* process, const struct signal_information* information) {
    return send(process, NULL, information);
}

void signal_exception(int signal, int code, uint32_t address) {
    struct thread* thread = this_thread();
    const struct signal_information information = {
        .signal = signal, .code = code, .value = {address}};
    if ((thread->blocked & signal_bit(signal)) || is_ignored(thread->process, signal))
        process_end(signal);
    spinlock_acquire(&thread->process->lock);
    pending_add(&thread->pending, &information);
    spinlock_release(&thread->process->lock);
}

// ---- taken ----

bool signal_take(uint64_t set, struct signal_information* information) {
    struct thread* thread = this_thread();
    spinlock_acquire(&thread->process->lock);
    const bool taken = pending_take(&thread->pending, set, information) ||
                       pending_take(&thread->process->pending, set, information);
    spinlock_release(&thread->process->lock);
    if (taken && information->code == SI_TIMER) timer_taken(information);
    return taken;
}

// Takes a signal that needs no way to ring 3; false if there is none.
static bool take_quiet(struct thread* thread) {
    struct process* process = thread->process;
    struct signal_information taken;
    int stop = 0;
    bool found = false;
    spinlock_acquire(&process->lock);
    uint64_t set = (thread->pending.set | process->pending.set) & ~thread->blocked;
    for (; set != 0 && !found; set &= set - 1) {
        const int signal = lowest_signal(set);
        found = is_ignored(process, signal) || stops(process, signal);
        if (found && stops(process, signal)) stop = signal;
        if (found && !pending_take(&thread->pending, signal_bit(signal), &taken))
            pending_take(&process->pending, signal_bit(signal), &taken);
    }
    if (stop != 0) process->stopped = true;
    spinlock_release(&process->lock);
    if (stop != 0) process_hurry(process);
    if (stop != 0) process_tell(process, stop << 8 | 127);
    return found;
}

bool signal_interrupts(void) {
    struct thread* thread = this_thread();
    do {
        if (thread->process->stopped || thread->process->continued) stay_stopped(thread->process);
        if (must_end(thread)) return true;
        if (!signal_waits(thread)) return false;
    } while (take_quiet(thread));
    return true;
}

// ---- delivered ----

// The call that a signal has interrupted returns EINTR, or is made again.
static void finish_call(struct trap_frame* frame, bool again) {
    if (frame->vector != SYSTEM_CALL_VECTOR || (int)frame->eax != -ERESTART) return;
    frame->eax = again ? frame->unused : (uint32_t)-EINTR;
    if (again) frame->eip -= 2;  // int $0x80
    frame->vector = 0;
}

static void run_handler(struct trap_frame* frame, const struct signal_information* information,
                        struct action action) {
    struct thread* thread = this_thread();
    const int signal = information->signal;
    const uint64_t before = thread->suspended ? thread->blocked_before : thread->blocked;
    thread->suspended = false;
    finish_call(frame, action.flags & SA_RESTART);
    if (action.flags & SA_RESETHAND) thread->process->actions[signal - 1].handler = SIG_DFL;
    if (signal_enter(frame, information, &action, before) != 0) process_end(SIGSEGV);
    thread->blocked |= (uint64_t)action.mask[1] << 32 | action.mask[0];
    if (!(action.flags & SA_NODEFER)) thread->blocked |= signal_bit(signal);
    thread->blocked &= ~UNBLOCKABLE;
}

// True if the thread, which is about to return to ring 3, has something to do before.
static inline bool must_look(const struct thread* thread, const struct trap_frame* frame) {
    const struct process* process = thread->process;
    return (thread->pending.set | process->pending.set) != 0 || must_end(thread) ||
           process->stopped || process->continued || thread->suspended ||
           (int)frame->eax == -ERESTART;
}

void leave_to_user(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    if (!must_look(thread, frame)) return;
    struct signal_information information;
    while (signal_interrupts()) {
        if (must_end(thread)) thread_end(0);
        if (!signal_take(~thread->blocked, &information)) continue;
        const struct action action = thread->process->actions[information.signal - 1];
        if (is_ignored(thread->process, information.signal) ||
            stops(thread->process, information.signal))
            signal_thread(thread, &information);  // it came just now: once more
        else if (action.handler == SIG_DFL)
            process_end(information.signal);
        else
            run_handler(frame, &information, action);
    }
    if (thread->suspended) thread->blocked = thread->blocked_before;
    thread->suspended = false;
    finish_call(frame, true);
}
