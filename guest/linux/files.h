// SPDX-License-Identifier: MIT
#pragma once

// Open files: the console and pipes.

#include <stdint.h>

struct file;

struct file_kind {
    uint32_t mode;  // st_mode
    int (*read)(struct file* file, uintptr_t to, uint32_t bytes);
    int (*write)(struct file* file, uintptr_t from, uint32_t bytes);
    void (*close)(struct file* file);  // nobody has it open any more
};

struct file {
    volatile unsigned users;  // numbers in processes, and calls
    const struct file_kind* kind;
    void* object;
    uint32_t flags;  // O_NONBLOCK, and how it was opened
};

#define O_RDONLY 0u
#define O_WRONLY 1u
#define O_RDWR 2u
#define O_NONBLOCK 04000u
#define O_CLOEXEC 02000000u

// The file with the number, which stays open until file_put(); NULL if there is none.
struct file* file_get(uint32_t number);
void file_put(struct file* file);
struct file* file_create(const struct file_kind* kind, void* object, uint32_t flags);
// Gives the file the lowest free number from `least` on; takes over the caller's use of it.
int file_number(struct file* file, uint32_t least);

// terminal.c
extern struct file console;
// pipe.c
int pipe_create(struct file* ends[2], uint32_t flags);  // to read, to write
