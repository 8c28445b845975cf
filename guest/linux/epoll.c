// SPDX-License-Identifier: MIT

// epoll: a set of watched files. Each wait looks at all of them; what is reported once per change
// (EPOLLET) is skipped until something happens to it.

#include "calls.h"
#include "poll.h"

#define EPOLLONESHOT 0x40000000u
#define EPOLLET 0x80000000u
#define FLAGS 0xf0000000u  // and EPOLLEXCLUSIVE, EPOLLWAKEUP

struct epoll {
    struct poller poller;
};
struct event {
    uint32_t events;
    uint64_t data;
} __attribute__((packed, aligned(4)));

static struct pool pool;

// What is to be reported of a watched file.
static uint32_t found_by(const struct watch* watch) {
    const uint32_t wanted = watch->events & ~FLAGS;
    if (watch->file == NULL || wanted == 0) return 0;
    if ((watch->events & EPOLLET) && !watch->changed) return 0;
    return file_events(watch->file, wanted);
}

static unsigned epoll_poll(struct file* file) {
    const struct epoll* epoll = file->object;
    unsigned found = 0;
    lock_watches();
    for (const struct watch* at = epoll->poller.watches; at != NULL; at = at->next_of_poller)
        if (found_by(at) != 0) found = POLLIN;
    unlock_watches();
    return found;
}

static void epoll_close(struct file* file) {
    struct epoll* epoll = file->object;
    lock_watches();
    while (epoll->poller.watches != NULL) watch_remove(&epoll->poller.watches);
    unlock_watches();
    pool_give(&pool, epoll);
}

static const struct file_kind kind = {.mode = 0600, .close = epoll_close, .poll = epoll_poll};

static int create(uint32_t flags) {
    if (flags & ~O_CLOEXEC) return -EINVAL;
    struct epoll* epoll = pool_take(&pool, sizeof *epoll);
    return epoll != NULL ? file_open(&kind, epoll, flags) : -ENOMEM;
}

CALL(epoll_create, (int)frame->ebx > 0 ? create(0) : -EINVAL)
CALL(epoll_create1, create(frame->ebx))

// ---- which files ----

enum { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL, EPOLL_CTL_MOD };

static int change(struct epoll* epoll, uint32_t operation, struct file* file, uint32_t number,
                  const struct event* event) {
    struct watch** place = &epoll->poller.watches;
    while (*place != NULL && ((*place)->file != file || (*place)->number != number))
        place = &(*place)->next_of_poller;
    struct watch* watch = *place;
    if (operation == EPOLL_CTL_ADD && watch != NULL) return -EEXIST;
    if (operation != EPOLL_CTL_ADD && watch == NULL) return -ENOENT;
    if (operation == EPOLL_CTL_DEL) {
        watch_remove(place);
        return 0;
    }
    if (watch == NULL) watch = watch_add(&epoll->poller, file);
    if (watch == NULL) return -ENOMEM;
    watch->number = number;
    watch->events = event->events | POLLERR | POLLHUP;
    watch->data = event->data;
    watch->changed = true;
    poller_wake(&epoll->poller);
    return 0;
}

// An epoll in another one is refused.
static int control(struct file* epoll, uint32_t operation, struct file* file, uint32_t number,
                   const struct event* event) {
    if (file->node != NULL) return -EPERM;
    if (epoll->kind != &kind || file->kind == &kind) return -EINVAL;
    if (operation < EPOLL_CTL_ADD || operation > EPOLL_CTL_MOD) return -EINVAL;
    lock_watches();
    const int error = change(epoll->object, operation, file, number, event);
    unlock_watches();
    return error;
}

int call_epoll_ctl(struct trap_frame* frame) {
    struct event event = {0};
    if (frame->ecx != EPOLL_CTL_DEL && copy_in(&event, frame->esi, sizeof event) != 0)
        return -EFAULT;
    struct file *epoll = file_get(frame->ebx), *file = file_get(frame->edx);
    const int error = epoll != NULL && file != NULL
                          ? control(epoll, frame->ecx, file, frame->edx, &event)
                          : -EBADF;
    if (epoll != NULL) file_put(epoll);
    if (file != NULL) file_put(file);
    return error;
}

// ---- waiting ----

struct wait {
    struct epoll* epoll;
    uintptr_t to;
    uint32_t most;
};

// What is reported goes to the end of the list, so that all are reported in turn.
static int scan(void* argument) {
    const struct wait* wait = argument;
    struct watch **place = &wait->epoll->poller.watches, *reported = NULL, **last = &reported;
    uint32_t number = 0;
    int error = 0;
    lock_watches();
    while (*place != NULL) {
        struct watch* watch = *place;
        const uint32_t found = number < wait->most && !error ? found_by(watch) : 0;
        const struct event event = {found, watch->data};
        if (found != 0) error = copy_out(wait->to + number * sizeof event, &event, sizeof event);
        if (watch->file == NULL) {
            watch_remove(place);
        } else if (found != 0 && !error) {
            watch->changed = false;
            if (watch->events & EPOLLONESHOT) watch->events &= FLAGS;
            *place = watch->next_of_poller;
            *last = watch;
            last = &watch->next_of_poller;
            *last = NULL;
            number++;
        } else {
            place = &watch->next_of_poller;
        }
    }
    *place = reported;
    unlock_watches();
    return number > 0 ? (int)number : error;
}

static int wait(const struct trap_frame* frame) {
    const int ms = (int)frame->esi;
    if ((int)frame->edx <= 0 || frame->edx > INT32_MAX / sizeof(struct event)) return -EINVAL;
    struct file* file = file_get(frame->ebx);
    if (file == NULL) return -EBADF;
    int result = -EINVAL;
    if (file->kind == &kind) {
        struct wait wait = {file->object, frame->ecx, frame->edx};
        const uint64_t at = ms < 0 ? NEVER : ms == 0 ? 0 : now_us() + (uint32_t)ms * 1000ull;
        result = poll_until(&wait.epoll->poller, at, scan, &wait);
    }
    file_put(file);
    return result;
}

CALL(epoll_wait, wait(frame))

int call_epoll_pwait(struct trap_frame* frame) {
    const int error = frame->edi != 0 ? mask_begin(frame->edi, frame->ebp) : 0;
    const int result = error ? error : wait(frame);
    mask_end(result);
    return result;
}
