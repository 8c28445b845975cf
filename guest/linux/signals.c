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

bool signal_waits(const struct thread* thread) {
    const uint64_t pending = thread->pending.set | thread->process->pending.set;
    return (pending & (~thread->blocked | thread->awaited)) != 0;
}

static void add(struct pending* pending, const struct signal_information* information) {
    pending->of[information->signal - 1].code = information->code;
    pending->of[information->signal - 1].value = information->value[0];
    pending->set |= signal_bit(information->signal);
}

// The thread looks at its signals soon, whether it sleeps or runs.
static void notify(struct thread* thread) {
    end_sleep(thread, -EINTR);
    for (unsigned i = 0; i < processors(); i++)
        if (kernel_processors[i].current == &thread->task && i != read_register(BOARD_PROCESSOR))
            kick(i);
}

// An ignored signal is not kept, unless a thread blocks it and may want it later.
void signal_thread(struct thread* thread, const struct signal_information* information) {
    struct process* process = thread->process;
    const uint64_t bit = signal_bit(information->signal);
    spinlock_acquire(&process->lock);
    const bool kept = !is_ignored(process, information->signal) || (thread->blocked & bit) != 0;
    if (kept) add(&thread->pending, information);
    spinlock_release(&process->lock);
    stores_before_loads();
    if (kept && signal_waits(thread)) notify(thread);
}

void signal_process(struct process* process, const struct signal_information* information) {
    const uint64_t bit = signal_bit(information->signal);
    struct thread* taker = NULL;
    spinlock_acquire(&process->lock);
    bool blocked = false;
    for (struct thread* thread = process->threads; thread != NULL;
         thread = thread->next_of_process) {
        blocked |= (thread->blocked & bit) != 0;
        if (!(thread->blocked & bit) || (thread->awaited & bit)) taker = thread;
    }
    const bool kept = blocked || !is_ignored(process, information->signal);
    if (kept) add(&process->pending, information);
    stores_before_loads();
    if (kept && taker != NULL) notify(taker);
    spinlock_release(&process->lock);
}

void signal_exception(int signal, int code, uint32_t address) {
    struct thread* thread = this_thread();
    const struct signal_information information = {
        .signal = signal, .code = code, .value = {address}};
    if ((thread->blocked & signal_bit(signal)) || is_ignored(thread->process, signal))
        process_end(signal);
    spinlock_acquire(&thread->process->lock);
    add(&thread->pending, &information);
    spinlock_release(&thread->process->lock);
}

// The lowest one of the set, of the thread's own before those of the process.
static bool take_from(struct pending* pending, uint64_t set, struct signal_information* taken) {
    set &= pending->set;
    if (set == 0) return false;
    int signal = 1;
    while (!(set & signal_bit(signal))) signal++;
    *taken = (struct signal_information){.signal = signal,
                                         .code = pending->of[signal - 1].code,
                                         .value = {pending->of[signal - 1].value}};
    pending->set &= ~signal_bit(signal);
    return true;
}

bool signal_take(uint64_t set, struct signal_information* information) {
    struct thread* thread = this_thread();
    spinlock_acquire(&thread->process->lock);
    const bool taken = take_from(&thread->pending, set, information) ||
                       take_from(&thread->process->pending, set, information);
    spinlock_release(&thread->process->lock);
    return taken;
}

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

void deliver_signals(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    struct signal_information information;
    while (signal_waits(thread) && signal_take(~thread->blocked, &information)) {
        const struct action action = thread->process->actions[information.signal - 1];
        if (is_ignored(thread->process, information.signal)) continue;
        if (action.handler == SIG_DFL) process_end(information.signal);
        run_handler(frame, &information, action);
    }
    if (thread->suspended) thread->blocked = thread->blocked_before;
    thread->suspended = false;
    finish_call(frame, true);
}
