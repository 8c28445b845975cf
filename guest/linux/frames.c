// SPDX-License-Identifier: MIT

// Pages of physical memory, by the addresses where ring 0 sees them. Those that nobody has had yet
// are zero, and in no list.

#include "memory.h"
#include "string.h"
#include "symsim.h"

extern struct space kernel_directory;  // boot.S

struct space* kernel_space = &kernel_directory;

static struct frame {
    volatile unsigned users;  // 0: it is free, or never given out
    unsigned next;            // number of a frame, 0 after the last one; in the list of free frames
} * table;

static struct spinlock lock;
static unsigned fresh = 1, end;  // numbers of frames; from `fresh` on nobody has had them
static unsigned free_list, free_count;

// Frames that are never given out, in order: the kernel, the program, and those whose place belongs
// to a device.
static struct hole {
    unsigned begin, end;
} holes[] = {
#define DEVICE(place) \
    { ((place)-MEMORY_BASE) / PAGE_BYTES, ((place)-MEMORY_BASE) / PAGE_BYTES + 1 }
    {0, 0},
    {0, 0},
    DEVICE(BOARD_PROCESSOR),
    DEVICE(BOARD_CLOCK_US),
    DEVICE(CONSOLE_BYTE),
    DEVICE(POWER_OFF),
    DEVICE(RESULTS_BYTE),
    DEVICE(MISSING_CALLS),
    {UINT32_MAX, UINT32_MAX},
};
#define IMAGE_BEGIN 0x100000  // boot/guest.ld
#define HOLES (sizeof holes / sizeof holes[0] - 1)
#define FIRST_DEVICE 2
static struct hole* hole = holes;  // the next one after `fresh`

// Tables are from the first MB, below the kernel, which has enough for all memory.
static page_entry* kernel_entry(uintptr_t place) {
    page_entry* upper = &kernel_space->directory[place >> 22];
    if (*upper == 0) *upper = fresh++ * PAGE_BYTES | TABLE_FLAGS;
    return page_entry_of(kernel_space, place);
}

void setup_kernel_space(void) {
    end = symsim_memory_bytes / PAGE_BYTES;
    page_entry* entry = NULL;
    for (unsigned number = 1024; number < end; number++) {  // boot.S has the first 4 MB
        const uintptr_t frame = number * PAGE_BYTES;
        if (number % 1024 == 0) entry = kernel_entry((uintptr_t)memory_at(frame));
        *entry++ = frame | PAGE_PRESENT | PAGE_WRITABLE;
    }
    for (unsigned i = FIRST_DEVICE; i < HOLES; i++) {
        const uintptr_t device = holes[i].begin * PAGE_BYTES + MEMORY_BASE;
        *kernel_entry(device) = device | PAGE_PRESENT | PAGE_WRITABLE;
    }
}

static unsigned number_of(const void* place) {
    return physical_of(place) / PAGE_BYTES;
}

void setup_frames(const void* program, uint32_t bytes) {
    table = (struct frame*)page_up((uintptr_t)program + bytes);
    // The last stacks are of processors that this machine does not have.
    holes[0] = (struct hole){IMAGE_BEGIN / PAGE_BYTES,
                             number_of(symsim_stacks + processors() * STACK_BYTES)};
    holes[1] = (struct hole){number_of(program), number_of(table + end) + 1};
    free_count = end - fresh;
    for (unsigned i = 0; i < HOLES && holes[i].begin < end; i++)
        free_count -= holes[i].end - holes[i].begin;
    if (holes[1].end > end || free_count < 64)
        panic("memory.size_mb is too small for this program, which lies at %u to %u KB",
              holes[1].begin * 4, holes[1].end * 4);
}

static struct frame* entry_of(uintptr_t frame) {
    return &table[number_of((void*)frame)];
}

static uintptr_t take(bool clear) {
    spinlock_acquire(&lock);
    unsigned number = free_list;
    const bool used = number != 0;
    if (used) {
        free_list = table[number].next;
    } else {
        while (fresh == hole->begin) fresh = (hole++)->end;
        if (fresh < end) number = fresh++;
    }
    if (number != 0) free_count--;
    spinlock_release(&lock);
    if (number == 0) return 0;
    const uintptr_t frame = (uintptr_t)memory_at(number * PAGE_BYTES);
    entry_of(frame)->users = 1;
    if (used && clear) memset((void*)frame, 0, PAGE_BYTES);
    return frame;
}

uintptr_t frame_take(void) {
    return take(true);
}

uintptr_t frame_take_any(void) {
    return take(false);
}

void frame_share(uintptr_t frame) {
    spinlock_acquire(&lock);
    if (entry_of(frame)->users != 0) entry_of(frame)->users++;
    spinlock_release(&lock);
}

void frame_release(uintptr_t frame) {
    spinlock_acquire(&lock);
    struct frame* entry = entry_of(frame);
    if (entry->users != 0 && --entry->users == 0) {
        entry->next = free_list;
        free_list = number_of((void*)frame);
        free_count++;
    }
    spinlock_release(&lock);
}

bool frame_is_shared(uintptr_t frame) {
    return entry_of(frame)->users != 1;
}

unsigned frames_left(void) {
    return free_count;
}

// For kernel_space and its tables (lib/paging.c).
void* page_allocate(void) {
    void* page = (void*)frame_take();
    if (page == NULL) panic("no memory for the kernel; raise memory.size_mb");
    return page;
}

void page_free(void* page) {
    frame_release((uintptr_t)page);
}
