// SPDX-License-Identifier: MIT

// Pipes: a ring of pages, each taken when it is first written. Both ends wait in one queue.

#include "poll.h"
#include "thread.h"

#define PAGES 16u
#define CAPACITY (PAGES * PAGE_BYTES)
#define ATOMIC_BYTES PAGE_BYTES  // PIPE_BUF: such a write is not interleaved with others

struct pipe {
    struct queue waiting;
    uint32_t first, bytes;  // what is in it
    bool read_closed, write_closed;
    uintptr_t pages[PAGES];
};

static struct pool pool;

// The bytes that follow position `at` of the ring in its page.
static uint32_t part_at(uint32_t at, uint32_t most) {
    const uint32_t left = PAGE_BYTES - at % PAGE_BYTES;
    return most < left ? most : left;
}

static int take_bytes(struct pipe* pipe, uintptr_t to, uint32_t bytes) {
    uint32_t done = 0;
    if (bytes > pipe->bytes) bytes = pipe->bytes;
    while (done < bytes) {
        const uint32_t part = part_at(pipe->first, bytes - done);
        const char* from =
            (const char*)pipe->pages[pipe->first / PAGE_BYTES] + pipe->first % PAGE_BYTES;
        if (copy_out(to + done, from, part) != 0) return done > 0 ? (int)done : -EFAULT;
        pipe->first = (pipe->first + part) % CAPACITY;
        pipe->bytes -= part;
        done += part;
    }
    return (int)done;
}

static int put_bytes(struct pipe* pipe, uintptr_t from, uint32_t bytes) {
    uint32_t done = 0;
    if (bytes > CAPACITY - pipe->bytes) bytes = CAPACITY - pipe->bytes;
    while (done < bytes) {
        const uint32_t at = (pipe->first + pipe->bytes) % CAPACITY;
        const uint32_t part = part_at(at, bytes - done);
        uintptr_t* page = &pipe->pages[at / PAGE_BYTES];
        if (*page == 0) *page = frame_take();
        if (*page == 0) return done > 0 ? (int)done : -ENOMEM;
        if (copy_in((char*)*page + at % PAGE_BYTES, from + done, part) != 0)
            return done > 0 ? (int)done : -EFAULT;
        pipe->bytes += part;
        done += part;
    }
    return (int)done;
}

static int pipe_read(struct file* file, uintptr_t to, uint32_t bytes) {
    struct pipe* pipe = file->object;
    if (bytes == 0) return 0;
    for (;;) {
        deadline_set(NEVER);
        spinlock_acquire(&pipe->waiting.lock);
        if (pipe->bytes > 0) {
            const bool full = CAPACITY - pipe->bytes < ATOMIC_BYTES;
            const int done = take_bytes(pipe, to, bytes);
            wake_all(&pipe->waiting);
            if (full) stir(pipe, POLLOUT);
            return done;
        }
        if (pipe->write_closed || (file->flags & O_NONBLOCK)) {
            const bool at_end = pipe->write_closed;
            spinlock_release(&pipe->waiting.lock);
            return at_end ? 0 : -EAGAIN;
        }
        if (sleep_in(&pipe->waiting) != 0) return -ERESTART;
    }
}

static int nobody_reads(struct pipe* pipe, uint32_t done) {
    const struct signal_information information = {
        .signal = SIGPIPE, .code = SI_USER, .value = {(uint32_t)this_thread()->process->id}};
    spinlock_release(&pipe->waiting.lock);
    signal_thread(this_thread(), &information);
    return done > 0 ? (int)done : -EPIPE;
}

static int pipe_write(struct file* file, uintptr_t from, uint32_t bytes) {
    struct pipe* pipe = file->object;
    uint32_t done = 0;
    while (done < bytes) {
        deadline_set(NEVER);
        spinlock_acquire(&pipe->waiting.lock);
        if (pipe->read_closed) return nobody_reads(pipe, done);
        const uint32_t left = CAPACITY - pipe->bytes;
        const uint32_t needed = bytes <= ATOMIC_BYTES ? bytes : 1;
        if (left >= needed) {
            const int now = put_bytes(pipe, from + done, bytes - done);
            wake_all(&pipe->waiting);
            stir(pipe, POLLIN);
            if (now < 0) return done > 0 ? (int)done : now;
            done += (uint32_t)now;
        } else if (file->flags & O_NONBLOCK) {
            spinlock_release(&pipe->waiting.lock);
            return done > 0 ? (int)done : -EAGAIN;
        } else if (sleep_in(&pipe->waiting) != 0) {
            return done > 0 ? (int)done : -ERESTART;
        }
    }
    return (int)done;
}

static void close_end(struct file* file) {
    struct pipe* pipe = file->object;
    spinlock_acquire(&pipe->waiting.lock);
    if ((file->flags & 3) == O_RDONLY)
        pipe->read_closed = true;
    else
        pipe->write_closed = true;
    const bool last = pipe->read_closed && pipe->write_closed;
    wake_all(&pipe->waiting);
    stir(pipe, POLLHUP | POLLERR);
    if (!last) return;
    for (unsigned i = 0; i < PAGES; i++)
        if (pipe->pages[i] != 0) frame_release(pipe->pages[i]);
    pool_give(&pool, pipe);
}

static unsigned pipe_poll(struct file* file) {
    struct pipe* pipe = file->object;
    if ((file->flags & 3) == O_RDONLY)
        return (pipe->bytes > 0 ? POLLIN : 0) | (pipe->write_closed ? POLLHUP : 0);
    return (CAPACITY - pipe->bytes >= ATOMIC_BYTES ? POLLOUT : 0) |
           (pipe->read_closed ? POLLERR : 0);
}

static const struct file_kind kind = {
    .mode = 010600, .read = pipe_read, .write = pipe_write, .close = close_end, .poll = pipe_poll};

int pipe_create(struct file* ends[2], uint32_t flags) {
    struct pipe* pipe = pool_take(&pool, sizeof *pipe);
    if (pipe == NULL) return -ENOMEM;
    ends[0] = file_create(&kind, pipe, O_RDONLY | flags);
    ends[1] = ends[0] != NULL ? file_create(&kind, pipe, O_WRONLY | flags) : NULL;
    if (ends[1] != NULL) return 0;
    pipe->write_closed = true;
    if (ends[0] != NULL)
        file_put(ends[0]);
    else
        pool_give(&pool, pipe);
    return -ENOMEM;
}
