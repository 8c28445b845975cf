// SPDX-License-Identifier: MIT

// The pages behind the areas. The entry of a page is 0 until the page is first used. An entry with
// a page that is not present belongs to an area without rights, or the page is about to go.

#include "nodes.h"
#include "string.h"

page_entry* page_entry_for(struct space* space, uintptr_t address) {
    page_entry* upper = &space->directory[address >> 22];
    if (*upper == 0) {
        const uintptr_t table = frame_take();
        if (table == 0) return NULL;
        *upper = entry_with(table, TABLE_FLAGS);
    }
    return page_entry_of(space, address);
}

static unsigned flags_of(const struct area* area) {
    return PAGE_PRESENT | PAGE_USER | (area->rights & PROT_WRITE ? PAGE_WRITABLE : 0);
}

// The page of the file that the area shows; 0: of zeros. -EIO: it is beyond the end of the file.
static int page_of_file(const struct area* area, uintptr_t page, uintptr_t* frame) {
    const uint32_t number = area->page + (page - area->begin) / PAGE_BYTES;
    if (number >= page_up(area->node->bytes) / PAGE_BYTES) return -EIO;
    *frame = node_page(area->node, number, area->shared);
    if (area->shared && (area->rights & PROT_WRITE)) node_changed(area->node);
    return *frame != 0 || !area->shared ? 0 : -ENOMEM;
}

// A page is first used. A page of a file is the file's until somebody writes.
static int fill(const struct area* area, uintptr_t page, bool write, page_entry* entry) {
    uintptr_t file = 0;
    const int error = area->node != NULL ? page_of_file(area, page, &file) : 0;
    if (error) return error;
    if (file != 0 && (area->shared || !write)) {
        *entry = entry_with(file, area->shared ? flags_of(area) : PAGE_PRESENT | PAGE_USER);
        return 0;
    }
    const uintptr_t frame = file != 0 ? frame_take_any() : frame_take();
    if (frame != 0 && file != 0) memcpy((void*)frame, (const void*)file, PAGE_BYTES);
    if (file != 0) frame_release(file);
    if (frame == 0) return -ENOMEM;
    *entry = entry_with(frame, flags_of(area));
    return 0;
}

// A page that is not writable is about to be written: it becomes so, or a copy takes its place.
static int make_writable(const struct area* area, page_entry* entry, struct access* access) {
    const uintptr_t frame = frame_of(*entry);
    if (area->shared || !frame_is_shared(frame)) {
        *entry = entry_with(frame, flags_of(area));
        return 0;
    }
    const uintptr_t copy = frame_take_any();
    if (copy == 0) return -ENOMEM;
    memcpy((void*)copy, (const void*)frame, PAGE_BYTES);
    *entry = entry_with(copy, flags_of(area));
    access->replaced = frame;
    return 0;
}

static bool may_access(page_entry entry, bool write) {
    return entry & PAGE_PRESENT && (!write || entry & PAGE_WRITABLE);
}

static int prepare_page(struct memory* memory, uintptr_t page, bool write, struct access* access) {
    const page_entry* known = page < USER_END ? page_entry_of(memory->space, page) : NULL;
    if (known != NULL && may_access(*known, write)) return 0;
    const struct area* area = area_at(memory, page);
    if (area == NULL || area->rights == 0) return -EFAULT;
    if (write && !(area->rights & PROT_WRITE)) return -EFAULT;
    page_entry* entry = page_entry_for(memory->space, page);
    if (entry == NULL) return -ENOMEM;
    if (*entry == 0) return fill(area, page, write, entry);
    if (!(*entry & PAGE_PRESENT)) return -EAGAIN;
    return write && !(*entry & PAGE_WRITABLE) ? make_writable(area, entry, access) : 0;
}

char* page_byte(struct memory* memory, uintptr_t address, bool write, struct access* access) {
    *access = (struct access){0, 0};
    access->error = prepare_page(memory, address & PAGE_FRAME, write, access);
    if (access->error) return NULL;
    return (char*)frame_of(*page_entry_of(memory->space, address)) + address % PAGE_BYTES;
}

void access_end(struct memory* memory, struct access* access) {
    if (access->replaced == 0) return;
    memory_flush(memory);
    frame_release(access->replaced);
}

int page_fault(struct memory* memory, uintptr_t address, bool write) {
    struct access access;
    spinlock_acquire(&memory->lock);
    page_byte(memory, address, write, &access);
    spinlock_release(&memory->lock);
    access_end(memory, &access);
    return access.error != -EAGAIN ? access.error : 0;  // the thread tries again
}

// The next entry of the range that has a page, from *page on, which it moves there; NULL: none.
static page_entry* next_page(struct space* space, uintptr_t* page, uintptr_t end) {
    for (uintptr_t table_end; *page < end; *page = table_end) {
        const page_entry* entry = page_entry_of(space, *page);
        table_end = (*page | ((1u << 22) - 1)) + 1;
        if (entry == NULL) continue;
        uint32_t left = ((table_end < end ? table_end : end) - *page) / PAGE_BYTES;
        bool found;
        __asm__ volatile("repe scasl"
                         : "+D"(entry), "+c"(left), "=@ccne"(found)
                         : "a"(0)
                         : "memory");
        if (!found) continue;
        *page = (table_end < end ? table_end : end) - (left + 1) * PAGE_BYTES;
        return (page_entry*)entry - 1;
    }
    return NULL;
}

static void for_each_page(struct space* space, uintptr_t begin, uintptr_t end,
                          void (*step)(page_entry* entry)) {
    page_entry* entry;
    for (uintptr_t page = begin; (entry = next_page(space, &page, end)) != NULL; page += PAGE_BYTES)
        step(entry);
}

static void close_page(page_entry* entry) {
    *entry &= ~(uint32_t)(PAGE_PRESENT | PAGE_WRITABLE);
}
static void open_page(page_entry* entry) {
    *entry |= PAGE_PRESENT;
}
static void write_protect_page(page_entry* entry) {
    *entry &= ~(uint32_t)PAGE_WRITABLE;
}
static void release_page(page_entry* entry) {
    frame_release(frame_of(*entry));
    *entry = 0;
}

void pages_close(struct space* space, uintptr_t begin, uintptr_t end) {
    for_each_page(space, begin, end, close_page);
}
void pages_open(struct space* space, uintptr_t begin, uintptr_t end) {
    for_each_page(space, begin, end, open_page);
}
void pages_write_protect(struct space* space, uintptr_t begin, uintptr_t end) {
    for_each_page(space, begin, end, write_protect_page);
}
void pages_release(struct space* space, uintptr_t begin, uintptr_t end) {
    for_each_page(space, begin, end, release_page);
}

// The pages of a shared area must be there, to be the same on both sides; those of a file are.
static int fill_all(struct memory* memory, const struct area* area) {
    int error = 0;
    for (uintptr_t page = area->begin; page < area->end && !error; page += PAGE_BYTES) {
        page_entry* entry = page_entry_for(memory->space, page);
        if (entry == NULL) return -ENOMEM;
        if (*entry == 0) error = fill(area, page, false, entry);
    }
    return error;
}

int pages_copy(struct memory* to, struct memory* from, const struct area* area) {
    if (area->shared && area->node == NULL && fill_all(from, area) != 0) return -ENOMEM;
    uintptr_t page = area->begin;
    page_entry* entry;
    for (; (entry = next_page(from->space, &page, area->end)) != NULL; page += PAGE_BYTES) {
        if (!area->shared) write_protect_page(entry);
        page_entry* copy = page_entry_for(to->space, page);
        if (copy == NULL) return -ENOMEM;
        frame_share(frame_of(*entry));
        *copy = *entry;
    }
    return 0;
}

struct space* space_of_kernel(void) {
    struct space* space = (struct space*)frame_take();
    for (unsigned i = MEMORY_BASE >> 22; space != NULL && i < 1024; i++)
        space->directory[i] = kernel_space->directory[i];
    return space;
}

void space_release(struct space* space) {
    for (unsigned i = USER_BEGIN >> 22; i <= USER_END >> 22; i++)
        if (space->directory[i] != 0) frame_release(frame_of(space->directory[i]));
    frame_release((uintptr_t)space);
}
