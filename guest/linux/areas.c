// SPDX-License-Identifier: MIT

// The areas of a memory, in order of address: found, split, given other rights, moved, removed.

#include "nodes.h"

static struct pool areas;

struct area* area_at(struct memory* memory, uintptr_t address) {
    struct area* area = memory->recent;
    if (area == NULL || area->begin > address) area = memory->areas;
    while (area != NULL && area->end <= address) area = area->next;
    if (area == NULL || area->begin > address) return NULL;
    return memory->recent = area;
}

bool areas_cover(struct memory* memory, uintptr_t begin, uintptr_t end) {
    while (begin < end) {
        const struct area* area = area_at(memory, begin);
        if (area == NULL) return false;
        begin = area->end;
    }
    return true;
}

uintptr_t area_gap(const struct memory* memory, uint32_t bytes) {
    uintptr_t found = 0, begin = USER_BEGIN;
    for (const struct area* area = memory->areas;; area = area->next) {
        uintptr_t end = area != NULL && area->begin < MAPPINGS_END ? area->begin : MAPPINGS_END;
        if (end > begin && end - begin >= bytes) found = end - bytes;
        if (area == NULL || area->end >= MAPPINGS_END) return found;
        begin = area->end;
    }
}

// True if `next` continues `area`, so that one can stand for both.
static bool continues(const struct area* area, const struct area* next) {
    return area->end == next->begin && area->rights == next->rights &&
           area->shared == next->shared && area->node == NULL && next->node == NULL;
}

int area_add(struct memory* memory, const struct area* area) {
    struct area** place = &memory->areas;
    struct area* before = NULL;
    while (*place != NULL && (*place)->begin < area->begin) {
        before = *place;
        place = &before->next;
    }
    if (before != NULL && continues(before, area)) {
        before->end = area->end;
        return 0;
    }
    struct area* added = pool_take(&areas, sizeof *added);
    if (added == NULL) return -ENOMEM;
    *added = *area;
    if (area->node != NULL) node_use(area->node);
    added->next = *place;
    *place = added;
    return 0;
}

// No area has addresses on both sides of `address` then.
static int split_at(struct memory* memory, uintptr_t address) {
    struct area* area = area_at(memory, address);
    if (area == NULL || area->begin == address) return 0;
    struct area* upper = pool_take(&areas, sizeof *upper);
    if (upper == NULL) return -ENOMEM;
    *upper = *area;
    if (upper->node != NULL) node_use(upper->node);
    upper->page += (address - upper->begin) / PAGE_BYTES;
    upper->begin = area->end = address;
    area->next = upper;
    return 0;
}

static int split_around(struct memory* memory, uintptr_t begin, uintptr_t end) {
    const int error = split_at(memory, begin);
    return error ? error : split_at(memory, end);
}

static void remove_between(struct memory* memory, uintptr_t begin, uintptr_t end) {
    struct area** place = &memory->areas;
    memory->recent = NULL;
    while (*place != NULL && (*place)->begin < end) {
        struct area* area = *place;
        if (area->begin < begin) {
            place = &area->next;
        } else {
            *place = area->next;
            if (area->node != NULL) node_put(area->node);
            pool_give(&areas, area);
        }
    }
}

int memory_unmap(struct memory* memory, uintptr_t begin, uintptr_t end) {
    spinlock_acquire(&memory->lock);
    const int error = split_around(memory, begin, end);
    if (!error) {
        remove_between(memory, begin, end);
        pages_close(memory->space, begin, end);
    }
    spinlock_release(&memory->lock);
    if (error) return error;
    memory_flush(memory);
    spinlock_acquire(&memory->lock);
    pages_release(memory->space, begin, end);
    spinlock_release(&memory->lock);
    return 0;
}

int memory_protect(struct memory* memory, uintptr_t begin, uintptr_t end, unsigned rights) {
    spinlock_acquire(&memory->lock);
    int error = areas_cover(memory, begin, end) ? 0 : -ENOMEM;
    if (!error) error = split_around(memory, begin, end);
    for (struct area* area = memory->areas; !error && area != NULL; area = area->next) {
        if (area->begin < begin || area->begin >= end) continue;
        area->rights = rights;
        if (rights == 0)
            pages_close(memory->space, area->begin, area->end);
        else
            pages_open(memory->space, area->begin, area->end);
        if (!(rights & PROT_WRITE)) pages_write_protect(memory->space, area->begin, area->end);
    }
    spinlock_release(&memory->lock);
    if (!error) memory_flush(memory);
    return error;
}

static void move_pages(struct memory* memory, uintptr_t from, uintptr_t to, uint32_t bytes) {
    for (uint32_t at = 0; at < bytes; at += PAGE_BYTES) {
        page_entry* entry = page_entry_of(memory->space, from + at);
        if (entry == NULL || *entry == 0) continue;
        *page_entry_of(memory->space, to + at) = *entry | PAGE_PRESENT;  // until now it was closed
        *entry = 0;
    }
}

static bool has_tables(struct space* space, uintptr_t begin, uint32_t bytes) {
    for (uint32_t at = 0; at < bytes; at += PAGE_BYTES)
        if (page_entry_for(space, begin + at) == NULL) return false;
    return true;
}

int memory_move(struct memory* memory, uintptr_t from, uintptr_t to, uint32_t bytes) {
    spinlock_acquire(&memory->lock);
    int error = split_around(memory, from, from + bytes);
    struct area area;
    if (!error && !has_tables(memory->space, to, bytes)) error = -ENOMEM;
    if (!error) {
        area = *area_at(memory, from);
        area.begin = to;
        area.end = to + bytes;
        error = area_add(memory, &area);
    }
    if (!error) {
        remove_between(memory, from, from + bytes);
        pages_close(memory->space, from, from + bytes);
    }
    spinlock_release(&memory->lock);
    if (error) return error;
    memory_flush(memory);
    spinlock_acquire(&memory->lock);
    move_pages(memory, from, to, bytes);
    spinlock_release(&memory->lock);
    return 0;
}

// ---- memory of processes ----

static struct pool memories;

struct memory* memory_create(void) {
    struct memory* memory = pool_take(&memories, sizeof *memory);
    if (memory == NULL) return NULL;
    memory->space = space_of_kernel();
    memory->users = 1;
    if (memory->space != NULL) return memory;
    pool_give(&memories, memory);
    return NULL;
}

struct memory* memory_copy(struct memory* memory) {
    struct memory* copy = memory_create();
    if (copy == NULL) return NULL;
    copy->break_begin = memory->break_begin;
    copy->break_end = memory->break_end;
    memory_change(memory);
    int error = 0;
    spinlock_acquire(&memory->lock);
    for (struct area* area = memory->areas; area != NULL && !error; area = area->next) {
        error = area_add(copy, area);
        if (!error) error = pages_copy(copy, memory, area);
    }
    spinlock_release(&memory->lock);
    memory_flush(memory);
    memory_changed(memory);
    if (!error) return copy;
    memory_release(copy);
    return NULL;
}

struct memory* memory_use(struct memory* memory) {
    spinlock_acquire(&memory->lock);
    memory->users++;
    spinlock_release(&memory->lock);
    return memory;
}

void memory_release(struct memory* memory) {
    spinlock_acquire(&memory->lock);
    const bool last = --memory->users == 0;
    spinlock_release(&memory->lock);
    if (!last) return;
    for (struct area* area = memory->areas; area != NULL; area = area->next)
        pages_release(memory->space, area->begin, area->end);
    remove_between(memory, 0, USER_END);
    space_release(memory->space);
    pool_give(&memories, memory);
}

void memory_change(struct memory* memory) {
    while (exchange_byte(&memory->changing.taken, 1) != 0)
        while (memory->changing.taken) answer_flush();
    compiler_barrier();
}

void memory_changed(struct memory* memory) {
    compiler_barrier();
    memory->changing.taken = 0;
}
