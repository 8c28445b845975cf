// SPDX-License-Identifier: MIT
#pragma once

// Open files. What a file does is its kind's; what a file with a name is, its node's (nodes.h).

#include <stdint.h>

struct file;
struct node;

// `read` and `write` are not called for a file that was not opened for them.
struct file_kind {
    uint32_t mode;  // st_mode of a file without a node
    int (*read)(struct file* file, uintptr_t to, uint32_t bytes);  // or NULL, as `write`
    int (*write)(struct file* file, uintptr_t from, uint32_t bytes);
    void (*close)(struct file* file);     // nobody has it open any more; NULL: nothing to do
    unsigned (*poll)(struct file* file);  // POLLIN...; NULL: it can always be read and written
};

struct file {
    volatile unsigned users;  // numbers in processes, and calls
    const struct file_kind* kind;
    void* object;
    uint32_t flags;     // O_NONBLOCK, and how it was opened
    struct node* node;  // NULL: it has no name
    uint32_t position;  // in the node
};

#define POLLIN 1u
#define POLLOUT 4u
#define POLLERR 8u
#define POLLHUP 16u

#define O_RDONLY 0u
#define O_WRONLY 1u
#define O_RDWR 2u
#define O_ACCESS 3u  // one of these
#define O_CREAT 0100u
#define O_EXCL 0200u
#define O_TRUNC 01000u
#define O_APPEND 02000u
#define O_NONBLOCK 04000u
#define O_DIRECTORY 0200000u
#define O_NOFOLLOW 0400000u
#define O_CLOEXEC 02000000u

// The file with the number, which stays open until file_put(); NULL if there is none.
struct file* file_get(uint32_t number);
void file_put(struct file* file);
struct file* file_create(const struct file_kind* kind, void* object, uint32_t flags);
// Gives the file the lowest free number from `least` on, for good or, if `flags` has O_CLOEXEC,
// until the process executes another program; takes over the caller's use of the file.
int file_number(struct file* file, uint32_t least, uint32_t flags);

// A number for a new file, or an error: then the object is closed.
int file_open(const struct file_kind* kind, void* object, uint32_t flags);

// terminal.c
extern struct file console;
// pipe.c
int pipe_create(struct file* ends[2], uint32_t flags);  // to read, to write
