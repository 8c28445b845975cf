// SPDX-License-Identifier: MIT

// Segments for thread-local storage: entries of the descriptor table that each thread has for
// itself.

#include "thread.h"

// Linux's struct user_desc, and its bits.
struct user_desc {
    uint32_t number, base, limit, flags;
};
enum user_desc_flag {
    DESC_32BIT = 1 << 0,
    DESC_CONTENTS = 3 << 1,
    DESC_CODE = 2 << 1,
    DESC_DOWN = 1 << 1,
    DESC_READ_ONLY = 1 << 3,
    DESC_PAGES = 1 << 4,
    DESC_ABSENT = 1 << 5,
};

// Linux takes either of these for "no segment".
static bool is_empty(const struct user_desc* desc) {
    if (desc->base != 0 || desc->limit != 0) return false;
    return desc->flags == (DESC_READ_ONLY | DESC_ABSENT) || desc->flags == 0;
}

static struct descriptor descriptor_of(const struct user_desc* desc) {
    if (is_empty(desc)) return (struct descriptor){0, 0};
    enum segment_kind kind = desc->flags & DESC_DOWN ? SEGMENT_STACK : SEGMENT_DATA;
    if (desc->flags & DESC_READ_ONLY) kind &= ~2u;
    uint32_t limit = desc->limit & 0xfffff;
    if (desc->flags & DESC_PAGES) limit = limit << 12 | 0xfff;
    return segment_descriptor(kind, 3, desc->base, limit);
}

static int free_entry(const struct thread* thread) {
    for (int i = 0; i < TLS_ENTRIES; i++)
        if (thread->tls[i].high == 0) return i;
    return -ESRCH;
}

int tls_set(struct thread* thread, uintptr_t user_desc, bool may_choose) {
    struct user_desc desc;
    if (copy_in(&desc, user_desc, sizeof desc) != 0) return -EFAULT;
    if (!is_empty(&desc) && (desc.flags & (DESC_CODE | DESC_ABSENT) || !(desc.flags & DESC_32BIT)))
        return -EINVAL;
    int entry = (int)desc.number - TLS_FIRST;
    if (desc.number == UINT32_MAX && may_choose) {
        entry = free_entry(thread);
        if (entry < 0) return entry;
        if (write_word(user_desc, (uint32_t)entry + TLS_FIRST) != 0) return -EFAULT;
    }
    if (entry < 0 || entry >= TLS_ENTRIES) return -EINVAL;
    thread->tls[entry] = descriptor_of(&desc);
    return 0;
}

// An entry without a segment has one byte and is present, since registers may still name it.
static const struct descriptor none = {0, 1u << 22 | 3u << 13 | SEGMENT_READ_ONLY << 8};

// What the processors' tables have.
static struct { LINE_ALIGNED struct descriptor entries[TLS_ENTRIES]; } loaded[MAX_PROCESSORS];

void tls_load(const struct thread* thread) {
    struct descriptor* own = loaded[read_register(BOARD_PROCESSOR)].entries;
    for (unsigned i = 0; i < TLS_ENTRIES; i++) {
        const struct descriptor* entry = thread->tls[i].high != 0 ? &thread->tls[i] : &none;
        if (own[i].low == entry->low && own[i].high == entry->high) continue;
        own[i] = *entry;
        set_descriptor(FREE_SELECTOR + i * 8, *entry);
    }
}
