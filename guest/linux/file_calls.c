// SPDX-License-Identifier: MIT

// Files: the console as 0, 1 and 2.

#include "calls.h"
#include "lib/internal.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

#define PART_BYTES 256  // what a call copies at a time: a kernel stack is a page
#define PATH_BYTES 256

static struct spinlock console_lock;

static bool is_console(uint32_t file) {
    return file <= 2;
}

// The text of one call is not interleaved with others'.
static int console_out(uintptr_t from, uint32_t bytes) {
    char part[PART_BYTES];
    uint32_t done = 0;
    int error = 0;
    spinlock_acquire(&console_lock);
    while (done < bytes && !error) {
        uint32_t now = PART_BYTES - (from + done) % PART_BYTES;  // so that a part is in one page
        if (now > bytes - done) now = bytes - done;
        error = copy_in(part, from + done, now);
        if (error) break;
        device_write(CONSOLE_BYTE, part, now);
        done += now;
    }
    spinlock_release(&console_lock);
    return done > 0 || !error ? (int)done : error;
}

static int console_in(uintptr_t to, uint32_t bytes) {
    char part[PART_BYTES];
    uint32_t done = 0;
    while (done < bytes) {
        const uint32_t most = bytes - done < PART_BYTES ? bytes - done : PART_BYTES;
        const uint32_t now = console_read(part, most);
        if (copy_out(to + done, part, now) != 0) return done > 0 ? (int)done : -EFAULT;
        done += now;
        if (now < most) break;
    }
    return (int)done;
}

int call_write(struct trap_frame* frame) {
    if (!is_console(frame->ebx)) return -EBADF;
    return console_out(frame->ecx, frame->edx);
}

int call_read(struct trap_frame* frame) {
    if (!is_console(frame->ebx)) return -EBADF;
    return console_in(frame->ecx, frame->edx);
}

#define VECTORS_MOST 1024

// Calls `transfer` for each part of an array of {address, bytes}.
static int for_vector(const struct trap_frame* frame,
                      int (*transfer)(uintptr_t address, uint32_t bytes)) {
    int done = 0;
    if (!is_console(frame->ebx)) return -EBADF;
    if (frame->edx > VECTORS_MOST) return -EINVAL;
    for (uint32_t i = 0; i < frame->edx; i++) {
        uint32_t part[2];
        if (copy_in(part, frame->ecx + i * 8, sizeof part) != 0) return done > 0 ? done : -EFAULT;
        const int now = transfer(part[0], part[1]);
        if (now < 0) return done > 0 ? done : now;
        done += now;
        if ((uint32_t)now < part[1]) break;
    }
    return done;
}

int call_writev(struct trap_frame* frame) {
    return for_vector(frame, console_out);
}

int call_readv(struct trap_frame* frame) {
    return for_vector(frame, console_in);
}

int call_close(struct trap_frame* frame) {
    return is_console(frame->ebx) ? 0 : -EBADF;
}

// The console is no terminal: output is a file, so that a run's text does not depend on where it goes.
int call_ioctl(struct trap_frame* frame) {
    return is_console(frame->ebx) ? -ENOTTY : -EBADF;
}

int call_lseek(struct trap_frame* frame) {
    return is_console(frame->ebx) ? -ESPIPE : -EBADF;
}
int call_llseek(struct trap_frame* frame) {
    return call_lseek(frame);
}

enum fcntl { F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4 };
#define O_RDWR 2

int call_fcntl64(struct trap_frame* frame) {
    if (!is_console(frame->ebx)) return -EBADF;
    switch (frame->ecx) {
        case F_GETFD:
        case F_SETFD:
        case F_SETFL: return 0;
        case F_GETFL: return O_RDWR;
        default: return -EINVAL;
    }
}

// ---- names: there are no files yet ----

static int find(uintptr_t name) {
    char path[PATH_BYTES];
    const int length = copy_text(path, name, sizeof path);
    return length < 0 ? length : -ENOENT;
}

int call_open(struct trap_frame* frame) {
    return find(frame->ebx);
}
int call_openat(struct trap_frame* frame) {
    return find(frame->ecx);
}
int call_access(struct trap_frame* frame) {
    return find(frame->ebx);
}
int call_readlink(struct trap_frame* frame) {
    if ((int)frame->edx <= 0) return -EINVAL;
    return find(frame->ebx);
}

// ---- what a file is: the console is a pipe ----

#define MODE_PIPE 010600
#define BLOCK_BYTES 4096
#define EMPTY_PATH 0x1000u

struct stat64 {
    uint64_t device;
    uint32_t unused1, inode32, mode, links, user, group;
    uint64_t of_device;
    uint32_t unused2;
    uint64_t bytes;
    uint32_t block_bytes;
    uint64_t blocks;
    uint32_t times[6];
    uint64_t inode;
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct stat64) == 96, "as Linux has it");

static int console_stat(uint32_t file, uintptr_t to) {
    if (!is_console(file)) return -EBADF;
    const struct stat64 stat = {.inode32 = file + 1,
                                .mode = MODE_PIPE,
                                .links = 1,
                                .block_bytes = BLOCK_BYTES,
                                .inode = file + 1};
    return copy_out(to, &stat, sizeof stat);
}

int call_fstat64(struct trap_frame* frame) {
    return console_stat(frame->ebx, frame->ecx);
}

// True if a call names its file by number, with an empty path.
static int is_empty_path(uintptr_t name, uint32_t flags) {
    char first;
    if (copy_in(&first, name, 1) != 0) return -EFAULT;
    return first == '\0' && (flags & EMPTY_PATH) != 0;
}

int call_fstatat64(struct trap_frame* frame) {
    const int empty = is_empty_path(frame->ecx, frame->esi);
    if (empty < 0) return empty;
    return empty ? console_stat(frame->ebx, frame->edx) : find(frame->ecx);
}

struct statx {
    uint32_t mask, block_bytes;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, unused;
    uint64_t inode, bytes, blocks, attributes_mask;
    uint32_t times[16];
    uint32_t device_major, device_minor, of_major, of_minor;
    uint64_t rest[14];
};
_Static_assert(sizeof(struct statx) == 256, "as Linux has it");
#define STATX_BASIC 0x7ffu

int call_statx(struct trap_frame* frame) {
    const int empty = is_empty_path(frame->ecx, frame->edx);
    if (empty < 0) return empty;
    if (!empty) return find(frame->ecx);
    if (!is_console(frame->ebx)) return -EBADF;
    const struct statx stat = {.mask = STATX_BASIC,
                               .block_bytes = BLOCK_BYTES,
                               .links = 1,
                               .mode = MODE_PIPE,
                               .inode = frame->ebx + 1};
    return copy_out(frame->edi, &stat, sizeof stat);
}
