// SPDX-License-Identifier: MIT

// Bytes of ring 3, of which nothing is trusted.

#include "memory.h"
#include "string.h"
#include "thread.h"

// Copies the part of the range that is in its first page; returns how much, or -EFAULT. 0: the page
// is about to go, or to come back.
static int copy_in_page(struct memory* memory, uintptr_t user, char* own, uint32_t bytes,
                        bool write) {
    const uint32_t left = PAGE_BYTES - user % PAGE_BYTES;
    if (bytes > left) bytes = left;
    struct access access;
    spinlock_acquire(&memory->lock);
    char* byte = page_byte(memory, user, write, &access);
    if (byte != NULL) memcpy(write ? byte : own, write ? own : byte, bytes);
    spinlock_release(&memory->lock);
    access_end(memory, &access);
    if (byte != NULL) return (int)bytes;
    return access.error == -EAGAIN ? 0 : -EFAULT;
}

static int copy(struct memory* memory, uintptr_t user, char* own, uint32_t bytes, bool write) {
    while (bytes > 0) {
        const int done = copy_in_page(memory, user, own, bytes, write);
        if (done < 0) return done;
        if (done == 0) answer_flush();
        user += (unsigned)done;
        own += done;
        bytes -= (unsigned)done;
    }
    return 0;
}

int copy_in(void* to, uintptr_t from, uint32_t bytes) {
    return copy(this_memory(), from, to, bytes, false);
}

int copy_out_to(struct memory* memory, uintptr_t to, const void* from, uint32_t bytes) {
    return copy(memory, to, (char*)from, bytes, true);
}

int copy_out(uintptr_t to, const void* from, uint32_t bytes) {
    return copy_out_to(this_memory(), to, from, bytes);
}

int copy_text(char* to, uintptr_t from, uint32_t most) {
    uint32_t length = 0;
    while (length < most) {
        uint32_t part = PAGE_BYTES - (from + length) % PAGE_BYTES;
        if (part > most - length) part = most - length;
        if (part > 64) part = 64;  // most texts are short
        const int error = copy_in(to + length, from + length, part);
        if (error) return error;
        for (uint32_t end = length + part; length < end; length++)
            if (to[length] == '\0') return (int)length;
    }
    return -ENAMETOOLONG;
}

int read_word(uintptr_t from, uint32_t* value) {
    return copy_in(value, from, sizeof *value);
}

int write_word(uintptr_t to, uint32_t value) {
    return copy_out(to, &value, sizeof value);
}
