// SPDX-License-Identifier: MIT

// Pages of physical memory. Those that nobody has had yet are zero, and in no list.

#include "memory.h"
#include "string.h"
#include "symsim.h"

extern uint32_t symsim_memory_bytes;  // lib/heap.c

struct space* kernel_space;

static struct frame {
    volatile unsigned users;
    unsigned next;  // number of a frame, 0 after the last one; in the list of free frames
} * table;          // entry 0 is frame `first`

static struct spinlock lock;
static unsigned first, fresh, end;  // numbers of frames; from `fresh` on nobody has had them
static unsigned free_list, free_count;

// Maps all memory but page 0 for ring 0, as map_identity() would, in a tenth of the time.
static void map_memory(uint32_t bytes) {
    page_entry* entry = NULL;
    for (uintptr_t page = 0; page < bytes; page += PAGE_BYTES) {
        if (page % (1u << 22) == 0) {
            entry = page_allocate();
            kernel_space->directory[page >> 22] =
                (uintptr_t)entry | PAGE_PRESENT | PAGE_WRITABLE | PAGE_USER;
        }
        *entry++ = page != 0 ? page | PAGE_PRESENT | PAGE_WRITABLE : 0;
    }
}

void setup_frames(uintptr_t begin) {
    uint32_t bytes = symsim_memory_bytes;
    if (bytes > KERNEL_END) bytes = KERNEL_END;
    end = bytes / PAGE_BYTES;
    table = (struct frame*)page_up(begin);
    const uint32_t table_bytes = (end - (uintptr_t)table / PAGE_BYTES) * sizeof(struct frame);
    first = fresh = page_up((uintptr_t)table + table_bytes) / PAGE_BYTES;
    if ((uintptr_t)table >= bytes || first + 64 > end)
        panic("memory.size_mb is too small for this program: it begins to use memory at %u KB",
              first * 4);
    kernel_space = page_allocate();
    map_memory(bytes);
    static const uintptr_t devices[] = {BOARD_PROCESSOR, BOARD_CLOCK_US, CONSOLE_BYTE,
                                        POWER_OFF,       RESULTS_BYTE,   MISSING_CALLS};
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++)
        map_identity(kernel_space, devices[i], devices[i] + 1, PAGE_WRITABLE);
}

static struct frame* entry_of(uintptr_t frame) {
    return &table[frame / PAGE_BYTES - first];
}

uintptr_t frame_take(void) {
    spinlock_acquire(&lock);
    unsigned number = free_list;
    const bool used = number != 0;
    if (used) {
        free_list = table[number - first].next;
        free_count--;
    } else if (fresh < end) {
        number = fresh++;
    }
    spinlock_release(&lock);
    if (number == 0) return 0;
    const uintptr_t frame = number * PAGE_BYTES;
    entry_of(frame)->users = 1;
    if (used) memset((void*)frame, 0, PAGE_BYTES);
    return frame;
}

void frame_share(uintptr_t frame) {
    if (frame / PAGE_BYTES < first) return;
    spinlock_acquire(&lock);
    entry_of(frame)->users++;
    spinlock_release(&lock);
}

void frame_release(uintptr_t frame) {
    if (frame / PAGE_BYTES < first) return;
    spinlock_acquire(&lock);
    struct frame* entry = entry_of(frame);
    if (--entry->users == 0) {
        entry->next = free_list;
        free_list = frame / PAGE_BYTES;
        free_count++;
    }
    spinlock_release(&lock);
}

bool frame_is_shared(uintptr_t frame) {
    return frame / PAGE_BYTES < first || entry_of(frame)->users != 1;
}

unsigned frames_left(void) {
    return end - fresh + free_count;
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
