// SPDX-License-Identifier: MIT

// Memory. Every byte has one linear address, which is its physical one, and each space maps its own
// part of them and the kernel:
//
//   0x00100000   the kernel: code, variables, boot stacks   in all spaces, for ring 0
//                each program: code and constants            in its space, ring 3 reads
//                              variables, stacks of upcalls   in its space, ring 3 reads and writes
//                each program's heap                          in its space, ring 3 reads and writes
//                the kernel's pages, to the end of memory    in all spaces, for ring 0; those that
//                                                             two spaces share in both, for ring 3
//   0xcc002000   the clock                                    in all spaces, ring 3 reads
//   0xc8000000   processor board, console and others          in all spaces, for ring 0

#include "kernel.h"
#include "lib/internal.h"
#include "string.h"

extern char symsim_kernel_begin[], symsim_kernel_end[], symsim_image_end[];  // boot/spaces.ld.in
extern uint32_t symsim_memory_bytes;                                         // lib/heap.c
extern char symsim_boot_args[];                                              // lib/arguments.c

#define ARGUMENTS_BYTES 4096
#define PAGES_MOST 1024

struct user_space user_spaces[MAX_SPACES];
unsigned user_spaces_number;
struct space* kernel_space;

// The kernel's pages: at most a quarter of memory, at its end. Pages are not used again, so no
// processor has an old translation of one. Memory that nobody has written is zero.
static char *pages_begin, *pages_end, *memory_end;
static struct spinlock pages;

static bool pages_left(unsigned number) {
    return (unsigned)(pages_end - pages_begin) >= number * PAGE_BYTES;
}

static char* pages_take(unsigned number) {
    spinlock_acquire(&pages);
    char* first = NULL;
    if (pages_left(number)) first = pages_end -= number * PAGE_BYTES;
    spinlock_release(&pages);
    return first;
}

void* page_allocate(void) {
    void* page = pages_take(1);
    if (page == NULL) panic("the kernel's pages are used up; a larger memory.size_mb has more");
    return page;
}

static void map_kernel(struct space* space) {
    map_identity(space, (uintptr_t)symsim_kernel_begin, (uintptr_t)symsim_kernel_end,
                 PAGE_WRITABLE);
    map_identity(space, (uintptr_t)pages_begin, (uintptr_t)memory_end, PAGE_WRITABLE);
    map_page(space, (uintptr_t)information_of(0), (uintptr_t)information_of(0), PAGE_USER);
    map_page(space, BOARD_CLOCK_US, BOARD_CLOCK_US, PAGE_USER);
    map_page(space, BOARD_PROCESSOR, BOARD_PROCESSOR, PAGE_WRITABLE);
    map_page(space, CONSOLE_BYTE, CONSOLE_BYTE, PAGE_WRITABLE);
    map_page(space, POWER_OFF, POWER_OFF, PAGE_WRITABLE);
    map_page(space, RESULTS_BYTE, RESULTS_BYTE, PAGE_WRITABLE);
}

void memory_setup(void) {
    memory_end = (char*)(symsim_memory_bytes & PAGE_FRAME);
    uint32_t bytes = PAGES_MOST * PAGE_BYTES;
    if (bytes > (uintptr_t)memory_end / 4) bytes = (uintptr_t)memory_end / 4 & PAGE_FRAME;
    pages_end = memory_end;
    pages_begin = memory_end - bytes;
    kernel_space = page_allocate();
    map_kernel(kernel_space);
}

struct user_space* space_at(int number) {
    return number >= 0 && (unsigned)number < user_spaces_number ? &user_spaces[number] : NULL;
}

static void map_user(struct space* space, char* begin, char* end, unsigned flags) {
    map_identity(space, (uintptr_t)begin, (uintptr_t)end, PAGE_USER | flags);
}

// Called before paging is on, so the kernel can write what the program is given.
static void create(int number, char* heap, uint32_t heap_bytes) {
    struct user_space* space = &user_spaces[number];
    const struct space_image* image = &space_images[number];
    *space = (struct user_space){
        .number = number,
        .image = image,
        .pages = page_allocate(),
        .upcall = (uintptr_t)image->program->upcall,
        .stacks = (uintptr_t)image->program->stacks,
    };
    map_kernel(space->pages);
    map_user(space->pages, image->code, image->data, 0);
    map_user(space->pages, image->data, image->end, PAGE_WRITABLE);
    map_user(space->pages, heap, heap + heap_bytes, PAGE_WRITABLE);
    memcpy(image->program->arguments, symsim_boot_args, ARGUMENTS_BYTES);
    *image->program->given = (struct space_given){
        .heap_begin = heap,
        .heap_end = heap + heap_bytes,
        .number = number,
        .spaces = user_spaces_number,
        .processors = processors(),
        .info = information_of(0),
        .self = information_of(number),
        .on = information_on(0),
        .absent = information_absent(),
    };
}

// What is left of memory is divided equally.
void spaces_setup(void) {
    user_spaces_number = space_images_number;
    char* begin = (char*)(((uintptr_t)symsim_image_end + PAGE_BYTES - 1) & PAGE_FRAME);
    if (begin >= pages_begin) panic("the programs do not fit; a larger memory.size_mb has room");
    const uint32_t bytes = (uint32_t)(pages_begin - begin) / user_spaces_number & PAGE_FRAME;
    for (unsigned i = 0; i < user_spaces_number; i++) create((int)i, begin + i * bytes, bytes);
}

// After the boot all pages are taken here, one caller at a time. A new entry was in no TLB.
uintptr_t map_new(struct user_space* const* spaces, unsigned number, unsigned count) {
    static struct spinlock turn;
    spinlock_acquire(&turn);
    uintptr_t begin = 0;
    if (pages_left(count + number)) {  // a table in each space
        begin = (uintptr_t)pages_take(count);
        for (unsigned i = 0; i < number; i++)
            map_identity(spaces[i]->pages, begin, begin + count * PAGE_BYTES,
                         PAGE_USER | PAGE_WRITABLE);
    }
    spinlock_release(&turn);
    return begin;
}

static bool user_page(const struct user_space* space, uintptr_t address, unsigned right) {
    page_entry* entry = page_entry_of(space->pages, address);
    const unsigned needed = PAGE_PRESENT | PAGE_USER | right;
    return entry != NULL && (*entry & needed) == needed;
}

// Not for the clock: an access where there is no register ends the run.
bool user_range(const struct user_space* space, uintptr_t begin, uint32_t bytes, unsigned right) {
    if (begin + bytes < begin || begin + bytes > (uintptr_t)memory_end) return false;
    for (uintptr_t page = begin & PAGE_FRAME; page < begin + bytes; page += PAGE_BYTES)
        if (!user_page(space, page, right)) return false;
    return true;
}
