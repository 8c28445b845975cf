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

#include "spaces.h"
#include "string.h"

extern char symsim_kernel_begin[], symsim_kernel_end[], symsim_image_end[];  // boot/spaces.ld.in
extern char symsim_boot_args[];                                              // lib/arguments.c

#define ARGUMENTS_BYTES 4096
#define PAGES_MOST 1024

struct user_space user_spaces[MAX_SPACES];
unsigned user_spaces_number;

static void map_kernel(struct space* space) {
    map_identity(space, (uintptr_t)symsim_kernel_begin, (uintptr_t)symsim_kernel_end,
                 PAGE_WRITABLE);
    map_kernel_pages(space);
    map_page(space, (uintptr_t)information_of(0), (uintptr_t)information_of(0), PAGE_USER);
    map_devices(space, PAGE_WRITABLE);
}

void setup_memory(void) {
    setup_pages(PAGES_MOST);
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
void setup_spaces(void) {
    user_spaces_number = space_images_number;
    char* begin = (char*)(((uintptr_t)symsim_image_end + PAGE_BYTES - 1) & PAGE_FRAME);
    const uintptr_t end = memory_of_programs();
    if ((uintptr_t)begin >= end) panic("the programs do not fit; a larger memory.size_mb has room");
    const uint32_t bytes = (end - (uintptr_t)begin) / user_spaces_number & PAGE_FRAME;
    for (unsigned i = 0; i < user_spaces_number; i++) create((int)i, begin + i * bytes, bytes);
}

// After the boot all pages are taken here, one caller at a time. A new entry was in no TLB.
uintptr_t map_new(struct user_space* const* spaces, unsigned number, unsigned count) {
    static struct spinlock mapping_lock;
    spinlock_acquire(&mapping_lock);
    uintptr_t begin = 0;
    if (pages_left(count + number)) {  // a table in each space
        begin = (uintptr_t)take_pages(count);
        for (unsigned i = 0; i < number; i++)
            map_identity(spaces[i]->pages, begin, begin + count * PAGE_BYTES,
                         PAGE_USER | PAGE_WRITABLE);
    }
    spinlock_release(&mapping_lock);
    return begin;
}
