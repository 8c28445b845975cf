// SPDX-License-Identifier: MIT

#include "paging.h"

#include "cpu.h"
#include "internal.h"
#include "stdlib.h"
#include "string.h"
#include "symsim.h"

#define CHUNK_PAGES 16  // pages taken from malloc at a time

// Free pages, linked by their first words; pages_taken guards the list. A handler must not wait for
// pages_taken if its own processor has it. So allocate with interrupts off, or do not allocate in
// handlers.
static struct { LINE_ALIGNED volatile unsigned char byte; } pages_taken;
static void* free_pages;

static void free_page_add(void* page) {
    *(void**)page = free_pages;
    free_pages = page;
}

// Weak: kernels have pages of their own (kernel/shared/pages.c).
__attribute__((weak)) void* page_allocate(void) {
    take_turn(&pages_taken.byte);
    if (free_pages == NULL) {
        char* chunk = malloc((CHUNK_PAGES + 1) * PAGE_BYTES);
        if (chunk == NULL) panic("page_allocate: memory is full");
        uintptr_t first = ((uintptr_t)chunk + PAGE_BYTES - 1) & -PAGE_BYTES;
        for (unsigned i = CHUNK_PAGES; i-- > 0;) free_page_add((void*)(first + i * PAGE_BYTES));
    }
    void* page = free_pages;
    free_pages = *(void**)page;
    give_turn_back(&pages_taken.byte);
    return memset(page, 0, PAGE_BYTES);
}

__attribute__((weak)) void page_free(void* page) {
    take_turn(&pages_taken.byte);
    free_page_add(page);
    give_turn_back(&pages_taken.byte);
}

static page_entry* entry_in(uint32_t upper, uintptr_t virtual) {
    return (page_entry*)memory_at(upper & PAGE_FRAME) + (virtual >> 12 & 1023);
}

page_entry* page_entry_of(struct space* space, uintptr_t virtual) {
    uint32_t upper = space->directory[virtual >> 22];
    return upper & PAGE_PRESENT ? entry_in(upper, virtual) : NULL;
}

// Table entries allow every access; the page's own entry restricts it.
void map_page(struct space* space, uintptr_t virtual, uintptr_t physical, unsigned flags) {
    page_entry* upper = &space->directory[virtual >> 22];
    if (!(*upper & PAGE_PRESENT))
        *upper = physical_of(page_allocate()) | PAGE_PRESENT | PAGE_WRITABLE | PAGE_USER;
    *entry_in(*upper, virtual) = (physical & PAGE_FRAME) | PAGE_PRESENT | flags;
}

void unmap_page(struct space* space, uintptr_t virtual) {
    page_entry* entry = page_entry_of(space, virtual);
    if (entry) *entry = 0;
}

void map_identity(struct space* space, uintptr_t begin, uintptr_t end, unsigned flags) {
    for (uintptr_t page = begin & PAGE_FRAME; page < end; page += PAGE_BYTES)
        map_page(space, page, page, flags);
}

void protect_pages(struct space* space, uintptr_t begin, uintptr_t end, unsigned flags) {
    for (uintptr_t page = begin & PAGE_FRAME; page < end; page += PAGE_BYTES) {
        page_entry* entry = page_entry_of(space, page);
        if (entry == NULL) panic("protect_pages: %#lx is not mapped", (unsigned long)page);
        *entry = (*entry & PAGE_FRAME) | PAGE_PRESENT | flags;
    }
}

// Page 0 is not mapped, so that access through a null pointer is a page fault.
struct space* space_create(void) {
    static const uintptr_t devices[] = {BOARD_PROCESSOR, BOARD_CLOCK_US, CONSOLE_BYTE, POWER_OFF,
                                        RESULTS_BYTE};
    struct space* space = page_allocate();
    map_identity(space, PAGE_BYTES, (uintptr_t)heap_bounds().end, PAGE_WRITABLE);
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++)
        map_identity(space, devices[i], devices[i] + 1, PAGE_WRITABLE);
    return space;
}

// The next instructions may have been fetched before paging was on; the jump empties the prefetch
// queue (PRM 10.4.4).
void use_space(struct space* space) {
    __asm__ volatile(
        "movl %0, %%cr3\n\t"
        "movl %%cr0, %%eax\n\t"
        "orl $0x80000000, %%eax\n\t"
        "movl %%eax, %%cr0\n\t"
        "jmp 1f\n"
        "1:"
        :
        : "r"(physical_of(space))
        : "eax", "memory");
}
