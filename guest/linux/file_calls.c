// SPDX-License-Identifier: MIT

// Calls on open files, and on names.

#include "calls.h"
#include "files.h"
#include "thread.h"

#define PATH_BYTES 256

// The open file, if it was opened to be written, or to be read; else NULL.
static struct file* file_for(uint32_t number, bool write) {
    struct file* file = file_get(number);
    const uint32_t way = file != NULL ? file->flags & 3 : 0;
    if (file == NULL || way == O_RDWR || (way == O_WRONLY) == write) return file;
    file_put(file);
    return NULL;
}

static int transfer(struct file* file, bool write, uintptr_t address, uint32_t bytes) {
    return (write ? file->kind->write : file->kind->read)(file, address, bytes);
}

static int read_or_write(const struct trap_frame* frame, bool write) {
    struct file* file = file_for(frame->ebx, write);
    if (file == NULL) return -EBADF;
    const int done = transfer(file, write, frame->ecx, frame->edx);
    file_put(file);
    return done;
}

int call_read(struct trap_frame* frame) {
    return read_or_write(frame, false);
}
int call_write(struct trap_frame* frame) {
    return read_or_write(frame, true);
}

#define VECTORS_MOST 1024

// Reads or writes each part of an array of {address, bytes}.
static int transfer_parts(struct file* file, bool write, uintptr_t parts, uint32_t number) {
    int done = 0;
    if (number > VECTORS_MOST) return -EINVAL;
    for (uint32_t i = 0; i < number; i++) {
        uint32_t part[2];
        if (copy_in(part, parts + i * 8, sizeof part) != 0) return done > 0 ? done : -EFAULT;
        const int now = transfer(file, write, part[0], part[1]);
        if (now < 0) return done > 0 ? done : now;
        done += now;
        if ((uint32_t)now < part[1]) break;
    }
    return done;
}

static int read_or_write_parts(const struct trap_frame* frame, bool write) {
    struct file* file = file_for(frame->ebx, write);
    if (file == NULL) return -EBADF;
    const int done = transfer_parts(file, write, frame->ecx, frame->edx);
    file_put(file);
    return done;
}

int call_readv(struct trap_frame* frame) {
    return read_or_write_parts(frame, false);
}
int call_writev(struct trap_frame* frame) {
    return read_or_write_parts(frame, true);
}

// `error` if the file is open.
static int refuse(uint32_t number, int error) {
    struct file* file = file_get(number);
    if (file == NULL) return -EBADF;
    file_put(file);
    return error;
}

int call_ioctl(struct trap_frame* frame) {
    return refuse(frame->ebx, -ENOTTY);
}
int call_lseek(struct trap_frame* frame) {
    return refuse(frame->ebx, -ESPIPE);
}
int call_llseek(struct trap_frame* frame) {
    return refuse(frame->ebx, -ESPIPE);
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

// ---- what a file is ----

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

// st_mode of an open file; 0: there is none.
static uint32_t mode_of(uint32_t number) {
    struct file* file = file_get(number);
    if (file == NULL) return 0;
    const uint32_t mode = file->kind->mode;
    file_put(file);
    return mode;
}

static int stat_number(uint32_t file, uintptr_t to) {
    const uint32_t mode = mode_of(file);
    if (mode == 0) return -EBADF;
    const struct stat64 stat = {.inode32 = file + 1,
                                .mode = mode,
                                .links = 1,
                                .block_bytes = BLOCK_BYTES,
                                .inode = file + 1};
    return copy_out(to, &stat, sizeof stat);
}

int call_fstat64(struct trap_frame* frame) {
    return stat_number(frame->ebx, frame->ecx);
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
    return empty ? stat_number(frame->ebx, frame->edx) : find(frame->ecx);
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
    const uint32_t mode = mode_of(frame->ebx);
    if (mode == 0) return -EBADF;
    const struct statx stat = {.mask = STATX_BASIC,
                               .block_bytes = BLOCK_BYTES,
                               .links = 1,
                               .mode = (uint16_t)mode,
                               .inode = frame->ebx + 1};
    return copy_out(frame->edi, &stat, sizeof stat);
}
