// SPDX-License-Identifier: MIT

// Calls on what a path or a number stands for: what it is, and what of it can be changed.

#include "calls.h"
#include "nodes.h"
#include "string.h"
#include "thread.h"

int on_file(uint32_t number, node_action* act, uintptr_t argument) {
    struct file* file = file_get(number);
    if (file == NULL) return -EBADF;
    struct node unnamed = {.mode = file->kind->mode, .number = number + 1};
    const int result = act(file->node != NULL ? file->node : &unnamed, argument);
    file_put(file);
    return result;
}

int on_path(uint32_t folder, uintptr_t path, uint32_t flags, node_action* act, uintptr_t argument) {
    char first;
    if (flags & ~PATH_FLAGS) return -EINVAL;
    if (flags & EMPTY_PATH) {
        if (copy_in(&first, path, 1) != 0) return -EFAULT;
        if (first == '\0') return on_file(folder, act, argument);
    }
    int error;
    struct node* node = node_at(folder, path, !(flags & NO_FOLLOW), &error);
    if (node == NULL) return error;
    const int result = act(node, argument);
    node_put(node);
    return result;
}

// ---- what it is ----

#define STAT_FLAGS (NO_FOLLOW | EMPTY_PATH | 0x6800u)  // and AT_NO_AUTOMOUNT, AT_STATX_...
#define BLOCK_BYTES 4096
#define DEVICE 1  // st_dev: the only one

static void put_time(uint64_t us, uint32_t* time) {
    time[0] = (uint32_t)(us / 1000000);
    time[1] = (uint32_t)(us % 1000000) * 1000;
}

static uint32_t links_of(const struct node* node) {
    if (node->users != 0 && node->parent == NULL && node != &root) return 0;
    return is_type(node, TYPE_FOLDER) ? 2 : 1;
}

struct stat64 {
    uint64_t device;
    uint32_t unused1, inode32, mode, links, user, group;
    uint64_t of_device;
    uint32_t unused2;
    uint64_t bytes;
    uint32_t block_bytes;
    uint64_t blocks;
    uint32_t times[3][2];  // accessed, modified, changed: seconds, nanoseconds
    uint64_t inode;
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct stat64) == 96, "as Linux has it");

static int stat_node(struct node* node, uintptr_t to) {
    struct stat64 stat = {.device = DEVICE,
                          .inode32 = node->number,
                          .mode = node->mode,
                          .links = links_of(node),
                          .of_device = node->device,
                          .bytes = node->bytes,
                          .block_bytes = BLOCK_BYTES,
                          .blocks = (node->bytes + 511) / 512,
                          .inode = node->number};
    for (unsigned i = 0; i < 3; i++) put_time(node->times_us[i != 0], stat.times[i]);
    return copy_out(to, &stat, sizeof stat);
}

static int stat_path(uint32_t folder, uintptr_t path, uint32_t flags, uintptr_t to) {
    return flags & ~STAT_FLAGS ? -EINVAL : on_path(folder, path, flags, stat_node, to);
}
CALL(stat64, stat_path(HERE, frame->ebx, 0, frame->ecx))
CALL(lstat64, stat_path(HERE, frame->ebx, NO_FOLLOW, frame->ecx))
CALL(fstat64, on_file(frame->ebx, stat_node, frame->ecx))
CALL(fstatat64, stat_path(frame->ebx, frame->ecx, frame->esi, frame->edx))

struct statx {
    uint32_t mask, block_bytes;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, unused;
    uint64_t inode, bytes, blocks, attributes_mask;
    uint32_t times[4][4];  // accessed, created (nobody notes that), changed, modified
    uint32_t of_major, of_minor, device_major, device_minor;
    uint64_t rest[14];
};
_Static_assert(sizeof(struct statx) == 256, "as Linux has it");
#define STATX_BASIC 0x7ffu

static int statx_node(struct node* node, uintptr_t to) {
    struct statx stat = {.mask = STATX_BASIC,
                         .block_bytes = BLOCK_BYTES,
                         .links = links_of(node),
                         .mode = (uint16_t)node->mode,
                         .inode = node->number,
                         .bytes = node->bytes,
                         .blocks = (node->bytes + 511) / 512,
                         .of_major = node->device >> 8,
                         .of_minor = node->device & 255,
                         .device_minor = DEVICE};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t time[2] = {0, 0};
        if (i != 1) put_time(node->times_us[i != 0], time);
        stat.times[i][0] = time[0], stat.times[i][2] = time[1];
    }
    return copy_out(to, &stat, sizeof stat);
}

int call_statx(struct trap_frame* frame) {
    if (frame->edx & ~STAT_FLAGS) return -EINVAL;
    return on_path(frame->ebx, frame->ecx, frame->edx, statx_node, frame->edi);
}

struct statfs64 {
    uint32_t type, block_bytes;
    uint64_t blocks, free, available, files, free_files;
    uint32_t id[2], name_bytes, fragment_bytes, flags, rest[4];
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct statfs64) == 84, "as Linux has it");
#define TYPE_TMPFS 0x01021994u

static int statfs_node(struct node* node, uintptr_t to) {
    const uint32_t left = frames_left();
    const struct statfs64 answer = {TYPE_TMPFS,  BLOCK_BYTES, symsim_memory_bytes / BLOCK_BYTES,
                                    left,        left,        left,
                                    left,        {0, 0},      NAME_BYTES - 1,
                                    BLOCK_BYTES, 0,           {0}};
    (void)node;
    return copy_out(to, &answer, sizeof answer);
}

int call_statfs64(struct trap_frame* frame) {
    if (frame->ecx != sizeof(struct statfs64)) return -EINVAL;
    return on_path(HERE, frame->ebx, 0, statfs_node, frame->edx);
}
int call_fstatfs64(struct trap_frame* frame) {
    if (frame->ecx != sizeof(struct statfs64)) return -EINVAL;
    return on_file(frame->ebx, statfs_node, frame->edx);
}

// The program is root: it may do everything but execute what is not a program.
static int allows(struct node* node, uintptr_t mode) {
    if (mode & ~7u) return -EINVAL;
    return (mode & 1) && !is_type(node, TYPE_FOLDER) && !(node->mode & 0111) ? -EACCES : 0;
}
CALL(access, on_path(HERE, frame->ebx, 0, allows, frame->ecx))
CALL(faccessat, on_path(frame->ebx, frame->ecx, 0, allows, frame->edx))
CALL(faccessat2, on_path(frame->ebx, frame->ecx, frame->esi, allows, frame->edx))

// ---- what can be changed ----

static int set_rights(struct node* node, uintptr_t rights) {
    node->mode = (node->mode & ~RIGHTS) | (rights & RIGHTS);
    return 0;
}
CALL(chmod, on_path(HERE, frame->ebx, 0, set_rights, frame->ecx))
CALL(fchmod, on_file(frame->ebx, set_rights, frame->ecx))
CALL(fchmodat, on_path(frame->ebx, frame->ecx, 0, set_rights, frame->edx))

// `words`: 64 bits.
static int resize(struct node* node, uintptr_t words) {
    if (is_type(node, TYPE_FOLDER)) return -EISDIR;
    if (node_is_executed(node)) return -ETXTBSY;
    const uint64_t bytes = *(const uint64_t*)words;
    return is_type(node, TYPE_REGULAR) && !(bytes >> 63) ? node_resize(node, bytes) : -EINVAL;
}

static int truncate(uintptr_t path, uint64_t bytes) {
    return on_path(HERE, path, 0, resize, (uintptr_t)&bytes);
}

static int truncate_file(uint32_t number, uint64_t bytes) {
    struct file* file = file_get(number);
    if (file == NULL) return -EBADF;
    const bool may = file->kind == &regular_kind && (file->flags & O_ACCESS) != O_RDONLY;
    const int error = may ? resize(file->node, (uintptr_t)&bytes) : -EINVAL;
    file_put(file);
    return error;
}
CALL(truncate, truncate(frame->ebx, (uint64_t)(int)frame->ecx))
CALL(truncate64, truncate(frame->ebx, (uint64_t)frame->edx << 32 | frame->ecx))
CALL(ftruncate, truncate_file(frame->ebx, (uint64_t)(int)frame->ecx))
CALL(ftruncate64, truncate_file(frame->ebx, (uint64_t)frame->edx << 32 | frame->ecx))

#define TIME_NOW 0x3fffffffu  // in place of nanoseconds
#define TIME_OMIT 0x3ffffffeu

struct new_times {
    uintptr_t from;  // 0: now
    bool wide;
};

static int set_times(struct node* node, uintptr_t argument) {
    const struct new_times* times = (const struct new_times*)argument;
    const uint32_t bytes = times->wide ? 16 : 8;
    uint64_t us[2] = {node->times_us[0], node->times_us[1]};
    for (unsigned i = 0; i < 2; i++) {
        const uintptr_t from = times->from + i * bytes;
        uint32_t nanoseconds = TIME_NOW;
        int error = 0;
        if (times->from != 0) error = read_word(from + bytes / 2, &nanoseconds);
        if (!error && nanoseconds == TIME_NOW)
            us[i] = REALTIME_BEGIN_US + now_us();
        else if (!error && nanoseconds != TIME_OMIT)
            error = read_time(from, times->wide, &us[i]);
        if (error) return error;
    }
    memcpy(node->times_us, us, sizeof us);
    return 0;
}

static int utimens(const struct trap_frame* frame, bool wide) {
    const struct new_times times = {frame->edx, wide};
    if (frame->esi & ~NO_FOLLOW) return -EINVAL;
    if (frame->ecx == 0) return on_file(frame->ebx, set_times, (uintptr_t)&times);
    return on_path(frame->ebx, frame->ecx, frame->esi, set_times, (uintptr_t)&times);
}
CALL(utimensat, utimens(frame, false))
CALL(utimensat64, utimens(frame, true))

// Nothing is kept anywhere else, so nothing is left to do.
static int sync_node(struct node* node, uintptr_t unused) {
    (void)unused;
    return is_type(node, TYPE_REGULAR) || is_type(node, TYPE_FOLDER) ? 0 : -EINVAL;
}
CALL(fsync, on_file(frame->ebx, sync_node, 0))
