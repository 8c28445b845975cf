// SPDX-License-Identifier: MIT

// The console. To a program it is a pipe: no terminal, so that a run's text does not depend on
// where it goes.

#include "calls.h"
#include "files.h"
#include "lib/internal.h"
#include "symsim.h"
#include "thread.h"

#define PART_BYTES 256u  // copied at a time: a kernel stack is a page

static struct spinlock lock;

// The text of one call is not interleaved with others'.
static int console_write_from(struct file* file, uintptr_t from, uint32_t bytes) {
    char part[PART_BYTES];
    uint32_t done = 0;
    int error = 0;
    (void)file;
    spinlock_acquire(&lock);
    while (done < bytes) {
        uint32_t now = PART_BYTES - (from + done) % PART_BYTES;  // so that a part is in one page
        if (now > bytes - done) now = bytes - done;
        error = copy_in(part, from + done, now);
        if (error) break;
        device_write(CONSOLE_BYTE, part, now);
        done += now;
    }
    spinlock_release(&lock);
    return done > 0 ? (int)done : error;
}

static int console_read_to(struct file* file, uintptr_t to, uint32_t bytes) {
    char part[PART_BYTES];
    uint32_t done = 0;
    (void)file;
    while (done < bytes) {
        const uint32_t most = bytes - done < PART_BYTES ? bytes - done : PART_BYTES;
        const uint32_t now = console_read(part, most);
        if (copy_out(to + done, part, now) != 0) return done > 0 ? (int)done : -EFAULT;
        done += now;
        if (now < most) break;
    }
    return (int)done;
}

static const struct file_kind kind = {
    .mode = 010600, .read = console_read_to, .write = console_write_from};
struct file console = {.users = 1, .kind = &kind, .flags = O_RDWR};
