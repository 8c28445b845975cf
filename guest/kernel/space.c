// SPDX-License-Identifier: MIT

// Memory: which pages ring 3 may access, the kernel's own pages, and a space for each process.
//
//   0x00100000   code and constants           ring 3 reads
//                variables of the program     ring 3 reads and writes
//                variables of the kernel, boot stacks
//                the heap of malloc           ring 3 reads and writes
//                the kernel's pages           up to the end of memory
//   0x7fffb000   the process's stack          ring 3 reads and writes; its own in each space
//   0x7ffff000   its private page
//   0xc8000000   processor board, clock       ring 3 reads
//   0xca......   registers of the lock         ring 3 reads and writes, if it has any
//
// All spaces share the tables of the first part.

#include "kernel.h"

#include "lib/internal.h"
#include "ring3_registers.h"

extern char symsim_data_begin[], symsim_kernel_data[], symsim_image_end[];  // boot/guest.ld
extern uint32_t symsim_memory_bytes;                                        // lib/heap.c

// For each process: a directory, a table, the private page, two stacks. Then the tables of
// kernel_space.
#define PAGES_OF_A_PROCESS (4 + STACK_PAGES)
#define PAGES_MOST (MAX_PROCESSES * PAGES_OF_A_PROCESS + 64)

// The upper part of memory is the kernel's: at most a quarter. Pages are not used again: the number
// of processes in a run is limited, and so no processor has an old translation, and no process sees
// what another one wrote. Memory that nobody has written is zero.
static char *pages_begin, *pages_end;
static struct spinlock pages;

struct space* kernel_space;

// False if there are not `number` left.
static bool pages_left(unsigned number) {
    return (unsigned)(pages_end - pages_begin) >= number * PAGE_BYTES;
}

void* page_allocate(void) {
    spinlock_acquire(&pages);
    if (!pages_left(1)) panic("the kernel's pages are used up; a larger memory.size_mb has more");
    void* page = pages_end -= PAGE_BYTES;
    spinlock_release(&pages);
    return page;
}

// Takes the pages from the heap's end, before anybody has allocated.
static void take_pages(void) {
    const uintptr_t end = symsim_memory_bytes & PAGE_FRAME;
    uint32_t bytes = PAGES_MOST * PAGE_BYTES;
    if (bytes > end / 4) bytes = end / 4 & PAGE_FRAME;
    pages_end = (char*)end;
    pages_begin = pages_end - bytes;
    symsim_memory_bytes = (uint32_t)(uintptr_t)pages_begin;
}

void spaces_setup(void) {
    const uintptr_t memory = symsim_memory_bytes & PAGE_FRAME;
    take_pages();
    kernel_space = page_allocate();
    map_identity(kernel_space, PAGE_BYTES, (uintptr_t)symsim_data_begin, PAGE_USER);
    map_identity(kernel_space, (uintptr_t)symsim_data_begin, (uintptr_t)symsim_kernel_data,
                 PAGE_USER | PAGE_WRITABLE);
    map_identity(kernel_space, (uintptr_t)symsim_kernel_data, (uintptr_t)symsim_image_end,
                 PAGE_WRITABLE);
    map_identity(kernel_space, (uintptr_t)symsim_image_end, (uintptr_t)pages_begin,
                 PAGE_USER | PAGE_WRITABLE);
    map_identity(kernel_space, (uintptr_t)pages_begin, memory, PAGE_WRITABLE);
    // A 386 in ring 0 may write any page.
    map_page(kernel_space, BOARD_PROCESSOR, BOARD_PROCESSOR, PAGE_USER);
    map_page(kernel_space, BOARD_CLOCK_US, BOARD_CLOCK_US, PAGE_USER);
    if (&ring3_uses_registers != NULL)
        map_identity(kernel_space, (uintptr_t)ring3_registers_begin, (uintptr_t)ring3_registers_end,
                     PAGE_USER | PAGE_WRITABLE);
    map_page(kernel_space, CONSOLE_BYTE, CONSOLE_BYTE, PAGE_WRITABLE);
    map_page(kernel_space, POWER_OFF, POWER_OFF, PAGE_WRITABLE);
    map_page(kernel_space, RESULTS_BYTE, RESULTS_BYTE, PAGE_WRITABLE);
}

bool space_for_process(struct process* process) {
    if (!pages_left(PAGES_OF_A_PROCESS)) return false;
    struct space* space = page_allocate();
    for (unsigned i = 0; i < PAGE_BYTES / 4; i++)
        if (kernel_space->directory[i] != 0) space->directory[i] = kernel_space->directory[i];
    process->space = space;
    process->kernel_stack = page_allocate();
    process->private = page_allocate();
    map_page(space, PRIVATE_PAGE, (uintptr_t)process->private, PAGE_USER | PAGE_WRITABLE);
    for (uintptr_t page = STACK_BOTTOM; page < STACK_TOP; page += PAGE_BYTES)
        map_page(space, page, (uintptr_t)page_allocate(), PAGE_USER | PAGE_WRITABLE);
    return true;
}

// Not for the pages of devices: an access where there is no register ends the run.
static char* user_byte(struct process* process, uintptr_t address) {
    if (address >= PRIVATE_PAGE + PAGE_BYTES) return NULL;
    page_entry* entry = page_entry_of(process->space, address);
    const unsigned needed = PAGE_PRESENT | PAGE_USER;
    if (entry == NULL || (*entry & needed) != needed) return NULL;
    return (char*)(*entry & PAGE_FRAME) + address % PAGE_BYTES;
}

volatile unsigned* user_word(struct process* process, uintptr_t address) {
    return address % 4 == 0 ? (volatile unsigned*)user_byte(process, address) : NULL;
}

bool user_range(struct process* process, uintptr_t begin, uint32_t bytes) {
    if (begin + bytes < begin) return false;
    for (uintptr_t page = begin & PAGE_FRAME; page < begin + bytes; page += PAGE_BYTES)
        if (user_byte(process, page) == NULL) return false;
    return true;
}
