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

#include "processes.h"
#include "ring3_registers.h"

extern char symsim_data_begin[], symsim_kernel_data[], symsim_image_end[];  // boot/guest.ld

// For each process: a directory, a table, the private page, two stacks. Then the tables of
// kernel_space.
#define PAGES_OF_A_PROCESS (4 + STACK_PAGES)
#define PAGES_MOST (MAX_PROCESSES * PAGES_OF_A_PROCESS + 64)

void setup_memory(void) {
    setup_pages(PAGES_MOST);
    map_identity(kernel_space, PAGE_BYTES, (uintptr_t)symsim_data_begin, PAGE_USER);
    map_identity(kernel_space, (uintptr_t)symsim_data_begin, (uintptr_t)symsim_kernel_data,
                 PAGE_USER | PAGE_WRITABLE);
    map_identity(kernel_space, (uintptr_t)symsim_kernel_data, (uintptr_t)symsim_image_end,
                 PAGE_WRITABLE);
    map_identity(kernel_space, (uintptr_t)symsim_image_end, memory_of_programs(),
                 PAGE_USER | PAGE_WRITABLE);
    map_kernel_pages(kernel_space);
    map_devices(kernel_space, PAGE_USER);
    if (&ring3_uses_registers != NULL)
        map_identity(kernel_space, (uintptr_t)ring3_registers_begin, (uintptr_t)ring3_registers_end,
                     PAGE_USER | PAGE_WRITABLE);
}

bool space_for_process(struct process* process) {
    if (!pages_left(PAGES_OF_A_PROCESS)) return false;
    struct space* space = page_allocate();
    for (unsigned i = 0; i < PAGE_BYTES / 4; i++)
        if (kernel_space->directory[i] != 0) space->directory[i] = kernel_space->directory[i];
    process->task.space = space;
    process->task.kernel_stack = page_allocate();
    process->private = page_allocate();
    map_page(space, PRIVATE_PAGE, (uintptr_t)process->private, PAGE_USER | PAGE_WRITABLE);
    for (uintptr_t page = STACK_BOTTOM; page < STACK_TOP; page += PAGE_BYTES)
        map_page(space, page, (uintptr_t)page_allocate(), PAGE_USER | PAGE_WRITABLE);
    return true;
}
