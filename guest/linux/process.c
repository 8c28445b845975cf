// SPDX-License-Identifier: MIT

// Processes: parents, children, and who waits for whose end.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

static struct pool pool;

// Who waits for a child; its lock is for the links between all processes.
static struct queue family;
static unsigned living = 1;  // processes that have not ended
static int first_status;     // of the first process, and so of the run

// As a shell gives it: 128 and the number of the signal that has ended the process.
static int shell_status(int status) {
    return status & 127 ? 128 + (status & 127) : status >> 8 & 255;
}

static void become_child(struct process* child, struct process* parent) {
    spinlock_acquire(&family.lock);
    living++;
    child->parent = parent;
    child->next = parent->children;
    parent->children = child;
    spinlock_release(&family.lock);
}

struct thread* process_fork(const struct trap_frame* frame, uintptr_t stack,
                            volatile bool* borrowed) {
    struct process* parent = this_thread()->process;
    struct process* child = pool_take(&pool, sizeof *child);
    if (child == NULL) return NULL;
    child->memory = borrowed != NULL ? memory_use(parent->memory) : memory_copy(parent->memory);
    struct thread* thread = child->memory != NULL ? thread_create(child, frame, stack) : NULL;
    if (thread == NULL) {
        if (child->memory != NULL) memory_release(child->memory);
        pool_give(&pool, child);
        return NULL;
    }
    const struct thread* creator = this_thread();
    thread->robust = 0;
    thread->stack_begin = creator->stack_begin;
    thread->stack_bytes = creator->stack_bytes;
    memcpy(child->actions, parent->actions, sizeof child->actions);
    files_copy(child, parent);
    child->group = parent->group;
    child->session = parent->session;
    child->borrowed = borrowed;
    become_child(child, parent);
    return thread;
}

// Call with the family's lock.
static void unlink_child(struct process* child) {
    struct process** place = &child->parent->children;
    while (*place != child) place = &(*place)->next;
    *place = child->next;
}

// Nobody asks for the status of children whose parent has ended.
static void leave_children(struct process* process) {
    struct process *next, *ended = NULL;
    spinlock_acquire(&family.lock);
    for (struct process* child = process->children; child != NULL; child = next) {
        next = child->next;
        child->parent = NULL;
        if (!child->ended) continue;
        child->next = ended;
        ended = child;
    }
    spinlock_release(&family.lock);
    for (; ended != NULL; ended = next) {
        next = ended->next;
        pool_give(&pool, ended);
    }
}

bool is_process(struct thread* thread, int id) {
    return thread->process->threads == thread && thread->process->id == id;
}

// It is there until the caller has asked for its status.
bool has_child(int id) {
    spinlock_acquire(&family.lock);
    const struct process* child = this_thread()->process->children;
    while (child != NULL && child->id != id) child = child->next;
    spinlock_release(&family.lock);
    return child != NULL;
}

bool is_in_group(struct thread* thread, int group) {
    return is_process(thread, thread->process->id) && thread->process->group == group;
}

enum { CLD_EXITED = 1, CLD_KILLED, CLD_STOPPED = 5, CLD_CONTINUED };

// What a status says of a child, as SIGCHLD and waitid() give it.
static struct signal_information news_of(int id, int status) {
    const int signal = status & 127;
    struct signal_information information = {
        .signal = SIGCHLD, .code = CLD_EXITED, .value = {(uint32_t)id, 0, status >> 8 & 255}};
    if (status == CONTINUED_STATUS) {
        information.code = CLD_CONTINUED;
        information.value[2] = SIGCONT;
    } else if (signal == 127) {
        information.code = CLD_STOPPED;
    } else if (signal != 0) {
        information.code = CLD_KILLED;
        information.value[2] = (uint32_t)signal;
    }
    return information;
}

static void send_news(struct thread* thread, void* argument) {
    const struct signal_information* information = argument;
    const struct action* action = &thread->process->actions[SIGCHLD - 1];
    if (information->code < CLD_STOPPED || !(action->flags & SA_NOCLDSTOP))
        signal_process(thread->process, information);
}

// The signal comes before the news for who waits. The parent is found by its number: it may end.
static void signal_parent(const struct process* process, int status) {
    struct signal_information information = news_of(process->id, status);
    if (information.code < CLD_STOPPED) information.signal = process->exit_signal;
    if (information.signal == 0) return;
    spinlock_acquire(&family.lock);
    const int id = process->parent != NULL ? process->parent->id : 0;
    spinlock_release(&family.lock);
    if (id != 0) thread_with(id, is_process, send_news, &information);
}

void process_tell(struct process* process, int status) {
    signal_parent(process, status);
    spinlock_acquire(&family.lock);
    process->news = status;
    if (process->parent != NULL) queue_wake(&family, process->parent);
    spinlock_release(&family.lock);
}

static bool is_wanted(const struct process* parent) {
    if (parent == NULL) return false;
    const struct action* action = &parent->actions[SIGCHLD - 1];
    return action->handler != SIG_IGN && !(action->flags & SA_NOCLDWAIT);
}

// The parent, which waits in vfork(), has its memory for itself again.
void process_leave_memory(struct process* process) {
    memory_release(process->memory);
    spinlock_acquire(&family.lock);
    if (process->borrowed != NULL) {
        *process->borrowed = false;
        queue_wake(&family, process->parent);
    }
    process->borrowed = NULL;
    spinlock_release(&family.lock);
}

// The parent ends; its child keeps the memory.
static void leave_borrowed(const struct process* parent, volatile bool* borrowed) {
    spinlock_acquire(&family.lock);
    for (struct process* child = parent->children; child != NULL; child = child->next)
        if (child->borrowed == borrowed) child->borrowed = NULL;
    *borrowed = false;
    spinlock_release(&family.lock);
}

// Only SIGKILL does not wait until then.
void wait_while(volatile bool* borrowed) {
    struct thread* thread = this_thread();
    const uint64_t blocked = thread->blocked;
    thread->blocked = ~signal_bit(SIGKILL);
    thread->key = (uintptr_t)thread->process;
    while (*borrowed) {
        deadline_set(NEVER);
        spinlock_acquire(&family.lock);
        if (!*borrowed)
            spinlock_release(&family.lock);
        else if (sleep_in(&family) != 0)
            leave_borrowed(thread->process, borrowed);
    }
    thread->blocked = blocked;
}

// The run ends with its last process.
static void leave_run(const struct process* process) {
    spinlock_acquire(&family.lock);
    if (process->id == FIRST_ID) first_status = process->status;
    const bool last = --living == 0;
    spinlock_release(&family.lock);
    if (last) exit(shell_status(first_status));
}

void process_finish(struct process* process) {
    leave_run(process);
    timers_end(process);
    signals_drop(&process->pending, ~0ull);
    files_close(process);
    process_leave_memory(process);
    leave_children(process);
    signal_parent(process, process->status);
    spinlock_acquire(&family.lock);
    struct process* parent = process->parent;
    const bool wanted = is_wanted(parent);
    if (!wanted && parent != NULL) unlink_child(process);
    process->ended = true;
    if (parent != NULL) queue_wake(&family, parent);
    spinlock_release(&family.lock);  // who waits may free the process now
    if (!wanted) pool_give(&pool, process);
}

// ---- waiting ----

#define WNOHANG 1u
#define WSTOPPED 2u
#define WEXITED 4u
#define WCONTINUED 8u
#define WNOWAIT 0x1000000u
#define WAIT_OPTIONS 0xe0000000u  // __WALL, __WNOTHREAD, __WCLONE

static bool has_news(const struct process* child, uint32_t options) {
    if (child->ended) return (options & WEXITED) != 0;
    if (child->news == 0) return false;
    return (options & (child->news == CONTINUED_STATUS ? WCONTINUED : WSTOPPED)) != 0;
}

// One with news if there is one. `id`: a number, -1 for any, the negative number of a group.
static struct process* find_child(const struct process* parent, int id, uint32_t options) {
    struct process* found = NULL;
    for (struct process* child = parent->children; child != NULL; child = child->next) {
        if (id > 0 ? child->id != id : id != -1 && child->group != -id) continue;
        if (found == NULL || has_news(child, options)) found = child;
    }
    return found;
}

// Call with the family's lock.
static void take_news(struct process* parent, struct process* child) {
    child->news = 0;
    if (!child->ended) return;
    unlink_child(child);
    parent->children_us += child->ran_us + child->children_us;
    pool_give(&pool, child);
}

// Returns the number of a child, 0 (WNOHANG), or an error; and, of the child, how it has ended and
// how long it has run.
static int wait_for_child(int id, uint32_t options, int* status, uint64_t* us) {
    struct process* process = this_thread()->process;
    if (id == 0) id = -process->group;
    this_thread()->key = (uintptr_t)process;
    for (;;) {
        deadline_set(NEVER);
        spinlock_acquire(&family.lock);
        struct process* child = find_child(process, id, options);
        const bool news = child != NULL && has_news(child, options);
        if (child == NULL || news || (options & WNOHANG)) {
            const int number = child == NULL ? -ECHILD : news ? child->id : 0;
            if (news) *status = child->ended ? child->status : child->news;
            if (news) *us = child->ran_us + child->children_us;
            if (news && !(options & WNOWAIT)) take_news(process, child);
            spinlock_release(&family.lock);
            return number;
        }
        if (sleep_in(&family) != 0) return -ERESTART;
    }
}

static int wait(const struct trap_frame* frame, uintptr_t usage) {
    int status = 0;
    uint64_t us = 0;
    if (frame->edx & ~(WAIT_OPTIONS | WNOHANG | WSTOPPED | WCONTINUED)) return -EINVAL;
    const int id = wait_for_child((int)frame->ebx, frame->edx | WEXITED, &status, &us);
    if (id > 0 && frame->ecx != 0 && write_word(frame->ecx, (uint32_t)status) != 0) return -EFAULT;
    if (id > 0 && usage != 0 && write_usage(usage, us) != 0) return -EFAULT;
    return id;
}

CALL(wait4, wait(frame, frame->esi))

CALL(waitpid, wait(frame, 0))

enum { P_ALL, P_PID, P_PGID };

int call_waitid(struct trap_frame* frame) {
    const uint32_t options = frame->esi, told = WSTOPPED | WEXITED | WCONTINUED;
    int id = (int)frame->ecx, status = 0;
    uint64_t us = 0;
    if (options & ~(WAIT_OPTIONS | WNOHANG | told | WNOWAIT)) return -EINVAL;
    if (!(options & told) || frame->ebx > P_PGID) return -EINVAL;
    if (frame->ebx != P_ALL && (id < 0 || (id == 0 && frame->ebx == P_PID))) return -EINVAL;
    if (frame->ebx != P_PID) id = frame->ebx == P_ALL ? -1 : -id;
    id = wait_for_child(id, options, &status, &us);
    if (id < 0) return id;
    if (frame->edi != 0 && write_usage(frame->edi, us) != 0) return -EFAULT;
    struct signal_information information = {0};
    if (id > 0) information = news_of(id, status);
    if (frame->edx != 0 && copy_out(frame->edx, &information, sizeof information) != 0)
        return -EFAULT;
    return 0;
}
