// SPDX-License-Identifier: MIT
#pragma once

// What the loader and the kernel hand each other in memory (sim/image/handoff.h includes this file
// too): the program and its files before the run, as a boot loader hands over a disk in memory, and
// all files at its end.

#include <stdint.h>

#ifdef __cplusplus
#define IN_GUEST(type) uint32_t
#else
#include "kernel/shared/spinlock.h"
#define IN_GUEST(type) type*
#endif

#define GUEST_PAGE_BYTES 4096u
#define PROGRAMS_BEGIN 0x00010000u
#define PROGRAMS_END 0xC0000000u
#define GIVEN_END 0x08000000u         // of the physical memory in which the loader may put files
#define INDEPENDENT_BASE 0x56555000u  // where Linux puts such programs without randomness

// A file or a folder from the loader. Offsets are from the program. The bytes begin at a page, and
// are followed by zeros up to the end of their last page.
struct given {
    uint32_t path;  // 0: it has none
    uint32_t mode;  // st_mode
    uint32_t at, bytes;
};

// It begins at a page of its own, above the kernel.
struct program {
    struct given executable;
    struct given texts;  // the program's path, its arguments and variables, each with its NUL
    uint32_t arguments, variables;
    uint32_t others, number;  // where an array of struct given is
    uint32_t bytes;           // of all
    IN_GUEST(void) root;      // the kernel's struct node; the loader writes 0
};

#define TYPE_BITS 0170000u  // of a mode
#define TYPE_REGULAR 0100000u
#define TYPE_FOLDER 0040000u
#define NAME_BYTES 256u  // with the NUL
#define TABLE_PAGES 1024u
#define TABLES 64u

// What a name stands for: a file, a folder, a link. The kernel keeps more behind these fields.
struct node {
    IN_GUEST(struct node) next;      // in its folder
    IN_GUEST(struct node) children;  // of a folder
    uint32_t mode;
    uint32_t written;  // by the program
    uint32_t bytes;
    // Its pages: the loader's up to `given_bytes`, those of the tables beyond. 0: all zeros.
    IN_GUEST(char) given;
    uint32_t given_bytes;
    IN_GUEST(uint32_t) tables[TABLES];
    char name[NAME_BYTES];
#ifndef __cplusplus
    struct node* parent;                  // NULL: it has no name (any more)
    volatile unsigned users;              // its name, open files, areas, processes
    uint32_t number, order;               // `order`: when it came into its folder
    uint32_t device;                      // st_rdev
    uint64_t times_us[2];                 // of the last access, as a program has set it, and change
    const struct file_kind* kind;         // what it does when it is open
    void (*generate)(struct node* into);  // the text of a file of /proc
    struct spinlock turn;                 // of who reads or writes
#endif
};

// The address of the program; the loader writes it. 0: there is none.
#ifndef __cplusplus
extern uint32_t symsim_program;
#endif
