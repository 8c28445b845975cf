// SPDX-License-Identifier: MIT

// Processes: parents, children, and who waits for whose end.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

static struct pool pool;

// Who waits for a child; its lock is for the links between all processes.
static struct queue family;

// As a shell gives it: 128 and the number of the signal that has ended the process.
static int shell_status(int status) {
    return status & 127 ? 128 + (status & 127) : status >> 8 & 255;
}

static void become_child(struct process* child, struct process* parent) {
    spinlock_acquire(&family.lock);
    child->parent = parent;
    child->next = parent->children;
    parent->children = child;
    spinlock_release(&family.lock);
}

struct thread* process_fork(const struct trap_frame* frame, uintptr_t stack) {
    struct process* parent = this_thread()->process;
    struct process* child = pool_take(&pool, sizeof *child);
    if (child == NULL) return NULL;
    child->memory = memory_copy(parent->memory);
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

static void wake_parent(struct process* parent) {
    struct list woken = {NULL, NULL};
    struct thread *before = NULL, *next;
    for (struct thread* at = (struct thread*)family.list.first; at != NULL; at = next) {
        next = queue_next(at);
        if (at->process == parent) {
            queue_remove(&family, before, at);
            list_put(&woken, &at->task.link);
        } else {
            before = at;
        }
    }
    wake_threads(&woken);
}

// The run ends with its first process.
void process_finish(struct process* process) {
    if (process->id == FIRST_ID) exit(shell_status(process->status));
    timer_remove(&process->alarm);
    files_close(process);
    memory_release(process->memory);
    leave_children(process);
    spinlock_acquire(&family.lock);
    struct process* parent = process->parent;
    const bool unwanted = parent == NULL || parent->actions[SIGCHLD - 1].handler == SIG_IGN;
    if (unwanted && parent != NULL) unlink_child(process);
    process->ended = true;
    if (parent != NULL) {
        const struct signal_information information = {
            .signal = SIGCHLD, .code = 1, .value = {(uint32_t)process->id}};
        wake_parent(parent);
        signal_process(parent, &information);
    }
    spinlock_release(&family.lock);
    if (unwanted) pool_give(&pool, process);
}

#define WNOHANG 1u
#define WAIT_OPTIONS 0x6000000bu  // and WUNTRACED, WCONTINUED, __WALL, __WNOTHREAD

// A child with the number, or any if that is not positive: one that has ended if there is one.
static struct process* find_child(const struct process* parent, int id) {
    struct process* found = NULL;
    for (struct process* child = parent->children; child != NULL; child = child->next) {
        if (id > 0 && child->id != id) continue;
        if (found == NULL || child->ended) found = child;
    }
    return found;
}

// Returns the number of a child that has ended, 0, or an error.
static int wait_for_child(int id, uint32_t options, int* status) {
    struct process* process = this_thread()->process;
    for (;;) {
        deadline_set(NEVER);
        spinlock_acquire(&family.lock);
        struct process* child = find_child(process, id);
        if (child != NULL && child->ended) unlink_child(child);
        if (child == NULL || child->ended || (options & WNOHANG)) {
            spinlock_release(&family.lock);
            if (child == NULL) return -ECHILD;
            if (!child->ended) return 0;
            const int number = child->id;
            *status = child->status;
            process->ran_us += child->ran_us;
            pool_give(&pool, child);
            return number;
        }
        if (sleep_in(&family) != 0) return -ERESTART;
    }
}

static int wait(const struct trap_frame* frame, uintptr_t usage) {
    int status = 0;
    const uint32_t none[18] = {0};
    if (frame->edx & ~WAIT_OPTIONS) return -EINVAL;
    const int id = wait_for_child((int)frame->ebx, frame->edx, &status);
    if (id > 0 && frame->ecx != 0 && write_word(frame->ecx, (uint32_t)status) != 0) return -EFAULT;
    if (id > 0 && usage != 0 && copy_out(usage, none, sizeof none) != 0) return -EFAULT;
    return id;
}

int call_wait4(struct trap_frame* frame) {
    return wait(frame, frame->esi);
}

int call_waitpid(struct trap_frame* frame) {
    return wait(frame, 0);
}
