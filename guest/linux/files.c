// SPDX-License-Identifier: MIT

// Open files of a process: the numbers, dup, pipes and fcntl. What a file does is its kind's.

#include "calls.h"
#include "nodes.h"
#include "poll.h"
#include "thread.h"

static struct pool pool;
static struct spinlock users_lock;

static void use(struct file* file) {
    spinlock_acquire(&users_lock);
    file->users++;
    spinlock_release(&users_lock);
}

void file_put(struct file* file) {
    spinlock_acquire(&users_lock);
    const bool last = --file->users == 0;
    spinlock_release(&users_lock);
    if (!last) return;
    watches_forget(file);
    if (file->kind->close != NULL) file->kind->close(file);
    if (file->node != NULL) node_put(file->node);
    pool_give(&pool, file);
}

struct file* file_get(uint32_t number) {
    struct process* process = this_thread()->process;
    if (number >= FILES_MOST) return NULL;
    spinlock_acquire(&process->lock);
    struct file* file = process->files[number];
    if (file != NULL) use(file);
    spinlock_release(&process->lock);
    return file;
}

struct file* file_create(const struct file_kind* kind, void* object, uint32_t flags) {
    struct file* file = pool_take(&pool, sizeof *file);
    if (file == NULL) return NULL;
    *file = (struct file){.users = 1, .kind = kind, .object = object, .flags = flags};
    return file;
}

// Call with the process's lock.
static void set_close_on_exec(struct process* process, uint32_t number, bool close) {
    const uint64_t bit = 1ull << number;
    process->close_on_exec = (process->close_on_exec & ~bit) | (close ? bit : 0);
}

int file_number(struct file* file, uint32_t least, uint32_t flags) {
    struct process* process = this_thread()->process;
    uint32_t number = least;
    spinlock_acquire(&process->lock);
    while (number < FILES_MOST && process->files[number] != NULL) number++;
    if (number < FILES_MOST) {
        process->files[number] = file;
        set_close_on_exec(process, number, flags & O_CLOEXEC);
    }
    spinlock_release(&process->lock);
    if (number < FILES_MOST) return (int)number;
    file_put(file);
    return least < FILES_MOST ? -EMFILE : -EINVAL;
}

int file_open(const struct file_kind* kind, void* object, uint32_t flags) {
    struct file* file = file_create(kind, object, O_RDWR | (flags & O_NONBLOCK));
    if (file != NULL) return file_number(file, 0, flags);
    struct file closed = {.object = object};
    kind->close(&closed);
    return -ENOMEM;
}

// Puts `file`, or nothing, in place of what has the number.
static int replace(uint32_t number, struct file* file, uint32_t flags) {
    struct process* process = this_thread()->process;
    if (number >= FILES_MOST) return -EBADF;
    spinlock_acquire(&process->lock);
    struct file* before = process->files[number];
    process->files[number] = file;
    set_close_on_exec(process, number, flags & O_CLOEXEC);
    spinlock_release(&process->lock);
    if (before != NULL) file_put(before);
    return before != NULL || file != NULL ? (int)number : -EBADF;
}

void files_begin(struct process* process) {
    for (unsigned i = 0; i <= 2; i++) {
        use(&console);
        process->files[i] = &console;
    }
    process->folder = node_use(&root);
    process->mask = 022;
}

// Other threads of `from` may close files meanwhile.
void files_copy(struct process* to, struct process* from) {
    spinlock_acquire(&from->lock);
    for (unsigned i = 0; i < FILES_MOST; i++) {
        to->files[i] = from->files[i];
        if (to->files[i] != NULL) use(to->files[i]);
    }
    to->close_on_exec = from->close_on_exec;
    spinlock_release(&from->lock);
    names_lock();
    to->folder = node_use(from->folder);
    names_unlock();
    to->executable = node_use(from->executable);
    to->mask = from->mask;
}

void files_execute(struct process* process) {
    for (unsigned i = 0; i < FILES_MOST; i++)
        if (process->close_on_exec >> i & 1) replace(i, NULL, 0);
}

void files_close(struct process* process) {
    for (unsigned i = 0; i < FILES_MOST; i++)
        if (process->files[i] != NULL) file_put(process->files[i]);
    node_put(process->folder);
    node_put(process->executable);
}

int call_close(struct trap_frame* frame) {
    const int number = replace(frame->ebx, NULL, 0);
    return number < 0 ? number : 0;
}

int call_dup(struct trap_frame* frame) {
    struct file* file = file_get(frame->ebx);
    return file != NULL ? file_number(file, 0, 0) : -EBADF;
}

static int dup_to(uint32_t from, uint32_t to, uint32_t flags) {
    struct file* file = file_get(from);
    if (file == NULL) return -EBADF;
    const int number = from != to ? replace(to, file, flags) : (int)to;
    if (number < 0 || from == to) file_put(file);
    return number;
}

int call_dup2(struct trap_frame* frame) {
    return dup_to(frame->ebx, frame->ecx, 0);
}

int call_dup3(struct trap_frame* frame) {
    if ((frame->edx & ~O_CLOEXEC) || frame->ebx == frame->ecx) return -EINVAL;
    return dup_to(frame->ebx, frame->ecx, frame->edx);
}

static int make_pipe(uintptr_t numbers, uint32_t flags) {
    struct file* ends[2];
    uint32_t given[2];
    if (flags & ~(O_CLOEXEC | O_NONBLOCK)) return -EINVAL;
    const int error = pipe_create(ends, flags & O_NONBLOCK);
    if (error) return error;
    const int first = file_number(ends[0], 0, flags);
    const int second = file_number(ends[1], 0, flags);
    if (first >= 0 && second >= 0) {
        given[0] = (uint32_t)first, given[1] = (uint32_t)second;
        if (copy_out(numbers, given, sizeof given) == 0) return 0;
    }
    if (first >= 0) replace((uint32_t)first, NULL, 0);
    if (second >= 0) replace((uint32_t)second, NULL, 0);
    return first >= 0 && second >= 0 ? -EFAULT : -EMFILE;
}

CALL(pipe, make_pipe(frame->ebx, 0))
CALL(pipe2, make_pipe(frame->ebx, frame->ecx))

enum fcntl { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 1030 };
#define SETTABLE (O_NONBLOCK | O_APPEND)

static int close_on_exec(uint32_t number, bool set, bool close) {
    struct process* process = this_thread()->process;
    spinlock_acquire(&process->lock);
    if (set) set_close_on_exec(process, number, close);
    const int closes = process->close_on_exec >> number & 1;
    spinlock_release(&process->lock);
    return set ? 0 : closes;
}

int call_fcntl64(struct trap_frame* frame) {
    struct file* file = file_get(frame->ebx);
    int result = 0;
    if (file == NULL) return -EBADF;
    switch (frame->ecx) {
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
            return file_number(file, frame->edx, frame->ecx == F_DUPFD ? 0 : O_CLOEXEC);
        case F_GETFD:
        case F_SETFD:
            result = close_on_exec(frame->ebx, frame->ecx == F_SETFD, frame->edx & 1);
            break;
        case F_GETFL:
            result = (int)file->flags;
            break;
        case F_SETFL:
            file->flags = (file->flags & ~SETTABLE) | (frame->edx & SETTABLE);
            break;
        default:
            result = -EINVAL;
    }
    file_put(file);
    return result;
}
