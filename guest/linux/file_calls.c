// SPDX-License-Identifier: MIT

// Calls that read and write open files.

#include "calls.h"
#include "nodes.h"
#include "thread.h"

// The open file, if it was opened to be written, or to be read; else NULL.
static struct file* file_for(uint32_t number, bool write) {
    struct file* file = file_get(number);
    const uint32_t way = file != NULL ? file->flags & 3 : 0;
    if (file == NULL || way == O_RDWR || (way == O_WRONLY) == write) return file;
    file_put(file);
    return NULL;
}

#define PART_BYTES 4096u
#define BYTES_MOST 0x7ffff000u

// In parts, between which others have their turn. What is read of a pipe is one part: there may be
// no more.
static int transfer(struct file* file, bool write, uintptr_t address, uint32_t bytes) {
    int (*const move)(struct file*, uintptr_t, uint32_t) =
        write ? file->kind->write : file->kind->read;
    uint32_t done = 0;
    if (move == NULL) return -EINVAL;
    if (bytes > BYTES_MOST) bytes = BYTES_MOST;
    do {
        uint32_t part = bytes - done;
        if (part > PART_BYTES && (write || file->node != NULL)) part = PART_BYTES;
        const int now = move(file, address + done, part);
        if (now < 0) return done > 0 ? (int)done : now;
        done += (uint32_t)now;
        if ((uint32_t)now < part) break;
    } while (done < bytes && call_goes_on());
    return (int)done;
}

static int read_or_write(const struct trap_frame* frame, bool write) {
    struct file* file = file_for(frame->ebx, write);
    if (file == NULL) return -EBADF;
    const int done = transfer(file, write, frame->ecx, frame->edx);
    file_put(file);
    return done;
}

CALL(read, read_or_write(frame, false))
CALL(write, read_or_write(frame, true))

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

CALL(readv, read_or_write_parts(frame, false))
CALL(writev, read_or_write_parts(frame, true))

// At a position of their own, which only files with a node have.
static int transfer_at(const struct trap_frame* frame, enum way way) {
    struct file* file = file_for(frame->ebx, is_write(way));
    uint32_t position = frame->edi == 0 ? frame->esi : UINT32_MAX;
    int done = -ESPIPE;
    if (file == NULL) return -EBADF;
    if ((int)frame->edi < 0)
        done = -EINVAL;
    else if (file->kind == &regular_kind)
        done = node_move(file->node, &position, frame->ecx, frame->edx, way);
    else if (file->kind == &folder_kind)
        done = -EISDIR;
    file_put(file);
    return done;
}
CALL(pread64, transfer_at(frame, TO_USER))
CALL(pwrite64, transfer_at(frame, FROM_USER))

enum whence { SEEK_SET, SEEK_CUR, SEEK_END };

static int seek(uint32_t number, int64_t offset, uint32_t whence, uint32_t* position) {
    struct file* file = file_get(number);
    int error = 0;
    if (file == NULL) return -EBADF;
    if (whence == SEEK_CUR) offset += file->position;
    if (file->node == NULL)
        error = -ESPIPE;
    else if (whence == SEEK_END)
        offset += file->node->bytes;
    if (whence > SEEK_END || offset < 0 || offset > FILE_BYTES_MOST)
        error = error ? error : -EINVAL;
    if (!error) *position = file->position = (uint32_t)offset;
    file_put(file);
    return error;
}

int call_lseek(struct trap_frame* frame) {
    uint32_t position;
    const int error = seek(frame->ebx, (int)frame->ecx, frame->edx, &position);
    return error ? error : (int)position;
}

int call_llseek(struct trap_frame* frame) {
    uint64_t position = 0;
    const int64_t offset = (int64_t)((uint64_t)frame->ecx << 32 | frame->edx);
    const int error = seek(frame->ebx, offset, frame->edi, (uint32_t*)&position);
    return error ? error : copy_out(frame->esi, &position, sizeof position);
}

static int no_terminal(struct node* node, uintptr_t unused) {
    (void)node, (void)unused;
    return -ENOTTY;
}
CALL(ioctl, on_file(frame->ebx, no_terminal, 0))
