// SPDX-License-Identifier: MIT

// eventfd: a counter that is read, added to, and waited for.

#include "calls.h"
#include "poll.h"

#define EFD_SEMAPHORE 1u
#define COUNT_MOST (UINT64_MAX - 1)

struct event {
    struct queue waiting;
    uint64_t count;
    bool semaphore;
};
static struct pool pool;

// Sleeps until somebody changes the count, whose lock is held; an error, if it is not to wait.
static int wait_for_change(const struct file* file, struct event* event) {
    if (!(file->flags & O_NONBLOCK)) return sleep_in(&event->waiting) != 0 ? -ERESTART : 0;
    spinlock_release(&event->waiting.lock);
    return -EAGAIN;
}

static int event_read(struct file* file, uintptr_t to, uint32_t bytes) {
    struct event* event = file->object;
    int error = bytes < sizeof event->count ? -EINVAL : 0;
    while (!error) {
        deadline_set(NEVER);
        spinlock_acquire(&event->waiting.lock);
        if (event->count != 0) {
            const uint64_t taken = event->semaphore ? 1 : event->count;
            event->count -= taken;
            wake_all(&event->waiting);
            stir(event, POLLOUT);
            return copy_out(to, &taken, sizeof taken) != 0 ? -EFAULT : (int)sizeof taken;
        }
        error = wait_for_change(file, event);
    }
    return error;
}

static int event_write(struct file* file, uintptr_t from, uint32_t bytes) {
    struct event* event = file->object;
    uint64_t more;
    int error = bytes < sizeof more ? -EINVAL : copy_in(&more, from, sizeof more);
    if (!error && more == UINT64_MAX) error = -EINVAL;
    while (!error) {
        deadline_set(NEVER);
        spinlock_acquire(&event->waiting.lock);
        if (more <= COUNT_MOST - event->count) {
            event->count += more;
            wake_all(&event->waiting);
            stir(event, POLLIN);
            return sizeof more;
        }
        error = wait_for_change(file, event);
    }
    return error;
}

static unsigned event_poll(struct file* file) {
    const struct event* event = file->object;
    return (event->count != 0 ? POLLIN : 0) | (event->count < COUNT_MOST ? POLLOUT : 0);
}

static void event_close(struct file* file) {
    pool_give(&pool, file->object);
}

static const struct file_kind kind = {.mode = 0600,
                                      .read = event_read,
                                      .write = event_write,
                                      .close = event_close,
                                      .poll = event_poll};

static int create(uint32_t count, uint32_t flags) {
    if (flags & ~(EFD_SEMAPHORE | O_NONBLOCK | O_CLOEXEC)) return -EINVAL;
    struct event* event = pool_take(&pool, sizeof *event);
    if (event == NULL) return -ENOMEM;
    event->count = count;
    event->semaphore = flags & EFD_SEMAPHORE;
    return file_open(&kind, event, flags);
}

CALL(eventfd, create(frame->ebx, 0))
CALL(eventfd2, create(frame->ebx, frame->ecx))
