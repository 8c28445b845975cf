// SPDX-License-Identifier: MIT
#pragma once

// The memory of a process. All physical memory is mapped for ring 0, so the kernel never uses an
// address of ring 3 itself: it looks the page up, as the processor would.
//
//   0x00010000   the program, its heap (brk)               ring 3
//                mappings, from the top down
//   0xbf7ff000   the stack of the first thread
//   0xc0000000   physical memory, from MEMORY_BASE on      ring 0
//   0xc8000000   and devices, in place of single pages

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"
#include "kernel/shared/kernel.h"
#include "kernel/shared/spinlock.h"
#include "program.h"

#define USER_BEGIN PROGRAMS_BEGIN
#define USER_END 0xBFFFF000u
#define STACK_BYTES_MOST (8u << 20)
#define STACK_BOTTOM (USER_END - STACK_BYTES_MOST)
#define MISSING_CALLS 0xD0003000u  // a device: sim/devices/missing_calls.h
#define MAPPINGS_END (STACK_BOTTOM - (1u << 20))  // the gap keeps a stack from running into them

#define PROT_READ 1u
#define PROT_WRITE 2u
#define PROT_EXEC 4u

#define TABLE_FLAGS \
    (PAGE_PRESENT | PAGE_WRITABLE | PAGE_USER)  // each page's own entry restricts it

static inline uintptr_t page_up(uintptr_t address) {
    return (address + PAGE_BYTES - 1) & PAGE_FRAME;
}

// ---- frames.c: pages of physical memory, each with the number of its users ----

void setup_kernel_space(void);
void setup_frames(const void* program, uint32_t bytes);  // which the loader has placed
uintptr_t frame_take(void);                              // zero-filled; 0 if none is left
uintptr_t frame_take_any(void);                          // with anything in it
void frame_share(uintptr_t frame);      // one more user; of no effect on frames never given out
void frame_release(uintptr_t frame);    // one less
bool frame_is_shared(uintptr_t frame);  // or never given out
// The frame of a page that is present, and the entry of a page.
static inline uintptr_t frame_of(page_entry entry) {
    return (uintptr_t)memory_at(entry & PAGE_FRAME);
}
static inline uint32_t entry_with(uintptr_t frame, unsigned flags) {
    return physical_of((void*)frame) | flags;
}
unsigned frames_left(void);
extern uint32_t symsim_memory_bytes;  // lib/heap.c

// ---- pool.c: objects of one size, from frames ----

struct pool {
    struct spinlock lock;
    void* free;
};
void* pool_take(struct pool* pool, unsigned bytes);  // zero-filled; NULL if there is no memory
void pool_give(struct pool* pool, void* object);

// ---- areas.c: which addresses of a process are valid, and what they show ----

struct node;
struct area {
    struct area* next;  // in order of addresses
    uintptr_t begin, end;
    unsigned rights;    // PROT_READ...
    bool shared;        // with children, and with the file (MAP_SHARED)
    struct node* node;  // of the file that it shows, of which it is a user; NULL: zeros
    uint32_t page;      // of the file, at `begin`
};

struct memory {
    unsigned users;  // processes
    struct space* space;
    struct spinlock lock;         // for the areas and the page tables
    struct area *areas, *recent;  // `recent`: as area_at() has found it
    struct {
        LINE_ALIGNED volatile unsigned char taken;
    } changing;  // memory_change()
    uintptr_t break_begin, break_end;
};

struct memory* memory_create(void);                 // NULL if there is no memory
struct memory* memory_copy(struct memory* memory);  // for fork
struct memory* memory_use(struct memory* memory);   // by one more process
void memory_release(struct memory* memory);         // by a process; the last one frees it

// Only one thread at a time changes the areas: the one between these two.
void memory_change(struct memory* memory);
void memory_changed(struct memory* memory);

// Call these with the lock, or while nobody else has the memory.
struct area* area_at(struct memory* memory, uintptr_t address);
// True if there is an area for each page.
bool areas_cover(struct memory* memory, uintptr_t begin, uintptr_t end);
int area_add(struct memory* memory, const struct area* area);     // nothing is there
uintptr_t area_gap(const struct memory* memory, uint32_t bytes);  // the highest; 0 if none

// Call these three between memory_change() and memory_changed(). When they return no processor uses
// an old translation.
int memory_unmap(struct memory* memory, uintptr_t begin, uintptr_t end);
int memory_protect(struct memory* memory, uintptr_t begin, uintptr_t end, unsigned rights);
int memory_move(struct memory* memory, uintptr_t from, uintptr_t to, uint32_t bytes);

// ---- pages.c: the pages behind the areas, filled on demand ----

// How an access ended. `replaced`: a page that others may still use by an old translation.
struct access {
    int error;  // -EAGAIN: the page is about to go; -EFAULT, -ENOMEM; -EIO: beyond the file
    uintptr_t replaced;
};

// The byte at the address, in a page that ring 3 may read, or write; NULL if it may not. Call with
// the lock, and access_end() after its release.
char* page_byte(struct memory* memory, uintptr_t address, bool write, struct access* access);
void access_end(struct memory* memory, struct access* access);
int page_fault(struct memory* memory, uintptr_t address, bool write);
page_entry* page_entry_for(struct space* space, uintptr_t address);  // NULL: no memory
// What pages of the range have, or not: in steps, between which translations are flushed.
void pages_close(struct space* space, uintptr_t begin, uintptr_t end);
void pages_open(struct space* space, uintptr_t begin, uintptr_t end);
void pages_write_protect(struct space* space, uintptr_t begin, uintptr_t end);
void pages_release(struct space* space, uintptr_t begin, uintptr_t end);
int pages_copy(struct memory* to, struct memory* from, const struct area* area);
struct space* space_of_kernel(void);  // with what every space has; NULL: no memory
void space_release(struct space* space);

// ---- flush.c ----

void memory_flush(struct memory* memory);  // no processor uses an old translation then
void answer_flush(void);                   // this processor does what others have asked for

// ---- user_copy.c: 0, or -EFAULT ----

int copy_in(void* to, uintptr_t from, uint32_t bytes);
int copy_out(uintptr_t to, const void* from, uint32_t bytes);
int copy_out_to(struct memory* memory, uintptr_t to, const void* from, uint32_t bytes);
int copy_text(char* to, uintptr_t from, uint32_t most);  // its length; -ENAMETOOLONG
int read_word(uintptr_t from, uint32_t* value);
int write_word(uintptr_t to, uint32_t value);
