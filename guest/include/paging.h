// SPDX-License-Identifier: MIT
#pragma once

// Page tables of the 386: 4 KB pages, two levels (PRM 5.2). `struct space` is an address space: its
// page directory. Its pages and tables come from page_allocate().

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES 4096u

enum page_flag {
    PAGE_PRESENT = 1 << 0,
    PAGE_WRITABLE = 1 << 1,
    PAGE_USER = 1 << 2,
    PAGE_ACCESSED = 1 << 5,  // set by the processor at the first access
    PAGE_DIRTY = 1 << 6,     // set by the processor at the first write
    PAGE_FRAME = -4096,
};

// Bits of a page fault's error code (PRM 9.8.14).
enum page_fault_bit {
    FAULT_PRESENT = 1 << 0,  // the page is present, but this access is not allowed
    FAULT_WRITE = 1 << 1,
    FAULT_USER = 1 << 2,
};

typedef volatile uint32_t page_entry;

struct space {
    page_entry directory[1024];
};

// Where ring 0 sees memory: at its own addresses, or all that much higher.
#ifndef MEMORY_BASE
#define MEMORY_BASE 0
#endif
#define physical_of(place) ((uintptr_t)(place)-MEMORY_BASE)
#define memory_at(physical) ((void*)((physical) + MEMORY_BASE))

void* page_allocate(void);  // zero-filled, page-aligned; never NULL
void page_free(void* page);

// Maps image, memory and devices at their own addresses, for ring 0.
struct space* space_create(void);

// Maps the page that contains `virtual`, and replaces any earlier mapping. Processors may use the
// old translation until flush_pages().
void map_page(struct space* space, uintptr_t virtual, uintptr_t physical, unsigned flags);
void unmap_page(struct space* space, uintptr_t virtual);
// Maps each page of [begin, end) at its own address.
void map_identity(struct space* space, uintptr_t begin, uintptr_t end, unsigned flags);
// Changes the flags of the pages of [begin, end), which must be mapped.
void protect_pages(struct space* space, uintptr_t begin, uintptr_t end, unsigned flags);
// The table entry that maps the page; NULL if there is no table for it.
page_entry* page_entry_of(struct space* space, uintptr_t virtual);

void use_space(struct space* space);  // on the calling processor; turns paging on

static inline uint32_t read_cr2(void) {
    uint32_t value;
    __asm__ volatile("movl %%cr2, %0" : "=r"(value));
    return value;
}
static inline uint32_t read_cr3(void) {
    uint32_t value;
    __asm__ volatile("movl %%cr3, %0" : "=r"(value));
    return value;
}
// Clears this processor's TLB. Others keep their translations: notify them by interrupt (slic.h).
static inline void flush_pages(void) {
    __asm__ volatile("movl %0, %%cr3" : : "r"(read_cr3()) : "memory");
}
