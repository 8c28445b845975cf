// SPDX-License-Identifier: MIT

// What is in a file: pages of the loader, pages of its own, and holes.

#include "nodes.h"
#include "calls.h"

#include "stdio.h"
#include "string.h"
#include "thread.h"

static struct pool pool;
static struct spinlock lock;  // for users and pages of all nodes
static uint32_t last_number = 1;  // the root has it
const char zero_page[PAGE_BYTES];

struct node* node_create(uint32_t mode) {
    struct node* node = pool_take(&pool, sizeof *node);
    if (node == NULL) return NULL;
    spinlock_acquire(&lock);
    node->number = ++last_number;
    spinlock_release(&lock);
    node->mode = mode;
    node->users = 1;
    node->kind = is_type(node, TYPE_FOLDER) ? &folder_kind : &regular_kind;
    node->times_us[0] = node->times_us[1] = REALTIME_BEGIN_US + now_us();
    return node;
}

struct node* node_use(struct node* node) {
    spinlock_acquire(&lock);
    node->users++;
    spinlock_release(&lock);
    return node;
}

// Where the address of a page is; NULL if there is no table for it.
static uint32_t* slot_of(struct node* node, uint32_t page, bool create) {
    uint32_t** table = &node->tables[page / TABLE_PAGES];
    if (*table == NULL && create) *table = (uint32_t*)frame_take();
    return *table != NULL ? *table + page % TABLE_PAGES : NULL;
}

uintptr_t node_page(struct node* node, uint32_t page, bool create) {
    uintptr_t frame = 0;
    spinlock_acquire(&lock);
    uint32_t* slot;
    if (page < page_up(node->given_bytes) / PAGE_BYTES) {
        frame = (uintptr_t)node->given + page * PAGE_BYTES;
    } else if ((slot = slot_of(node, page, create)) != NULL) {
        if (*slot == 0 && create) *slot = frame_take();
        frame = *slot;
    }
    if (frame != 0) frame_share(frame);
    spinlock_release(&lock);
    return frame;
}

// What is beyond the end is zero, also when the file grows again.
static void cut(struct node* node, uint32_t bytes) {
    const uint32_t end = page_up(node->bytes) / PAGE_BYTES;
    const uintptr_t last = bytes % PAGE_BYTES != 0 ? node_page(node, bytes / PAGE_BYTES, false) : 0;
    if (last != 0) {
        memset((char*)last + bytes % PAGE_BYTES, 0, PAGE_BYTES - bytes % PAGE_BYTES);
        frame_release(last);
    }
    spinlock_acquire(&lock);
    if (node->given_bytes > bytes) node->given_bytes = bytes;
    for (uint32_t page = page_up(bytes) / PAGE_BYTES; page < end; page++) {
        uint32_t* slot = slot_of(node, page, false);
        if (slot != NULL && *slot != 0) frame_release(*slot), *slot = 0;
        if (slot == NULL) page |= TABLE_PAGES - 1;  // to the next table
    }
    spinlock_release(&lock);
}

void node_put(struct node* node) {
    spinlock_acquire(&lock);
    const bool last = --node->users == 0;
    spinlock_release(&lock);
    if (!last) return;
    cut(node, 0);
    for (unsigned i = 0; i < TABLES; i++)
        if (node->tables[i] != NULL) frame_release((uintptr_t)node->tables[i]);
    pool_give(&pool, node);
}

void node_changed(struct node* node) {
    node->times_us[1] = REALTIME_BEGIN_US + now_us();
    node->written = true;
}

int node_resize(struct node* node, uint64_t bytes) {
    if (bytes > FILE_BYTES_MOST) return -EFBIG;
    spinlock_acquire(&node->turn);
    if (bytes < node->bytes) cut(node, (uint32_t)bytes);
    node->bytes = (uint32_t)bytes;
    node_changed(node);
    spinlock_release(&node->turn);
    return 0;
}

// Moves bytes that lie in one page of the file.
static int move_part(struct node* node, uint32_t at, uintptr_t other, uint32_t bytes,
                     enum way way) {
    const uintptr_t frame = node_page(node, at / PAGE_BYTES, is_write(way));
    char* here = (char*)(frame != 0 ? frame : (uintptr_t)zero_page) + at % PAGE_BYTES;
    int error = frame == 0 && is_write(way) ? -ENOSPC : 0;
    if (!error && way == TO_USER)
        error = copy_out(other, here, bytes);
    else if (!error && way == FROM_USER)
        error = copy_in(here, other, bytes);
    else if (!error)
        memcpy(is_write(way) ? here : (char*)other, is_write(way) ? (char*)other : here, bytes);
    if (frame != 0) frame_release(frame);
    return error;
}

static int move(struct node* node, uint32_t at, uintptr_t other, uint32_t bytes, enum way way) {
    const uint32_t end = is_write(way) ? FILE_BYTES_MOST : node->bytes;
    uint32_t done = 0;
    if (at >= end) return is_write(way) && bytes > 0 ? -EFBIG : 0;
    if (bytes > end - at) bytes = end - at;
    while (done < bytes) {
        const uint32_t left = PAGE_BYTES - (at + done) % PAGE_BYTES;
        const uint32_t part = bytes - done < left ? bytes - done : left;
        const int error = move_part(node, at + done, other + done, part, way);
        if (error) return done > 0 ? (int)done : error;
        done += part;
        if (is_write(way) && at + done > node->bytes) node->bytes = at + done;
    }
    return (int)done;
}

int node_move(struct node* node, uint32_t* position, uintptr_t other, uint32_t bytes,
              enum way way) {
    spinlock_acquire(&node->turn);
    const int done = move(node, position != NULL ? *position : node->bytes, other, bytes, way);
    if (done > 0 && position != NULL) *position += (uint32_t)done;
    if (done > 0 && is_write(way)) node_changed(node);
    spinlock_release(&node->turn);
    return done;
}

void node_print(struct node* node, const char* format, ...) {
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    node_move(node, NULL, (uintptr_t)text, strlen(text), FROM_KERNEL);
}

static int regular_read(struct file* file, uintptr_t to, uint32_t bytes) {
    return node_move(file->node, &file->position, to, bytes, TO_USER);
}

static int regular_write(struct file* file, uintptr_t from, uint32_t bytes) {
    if (!(file->flags & O_APPEND))
        return node_move(file->node, &file->position, from, bytes, FROM_USER);
    const int done = node_move(file->node, NULL, from, bytes, FROM_USER);
    file->position = file->node->bytes;
    return done;
}

static int folder_read(struct file* file, uintptr_t to, uint32_t bytes) {
    (void)file, (void)to, (void)bytes;
    return -EISDIR;
}

const struct file_kind regular_kind = {.read = regular_read, .write = regular_write};
const struct file_kind folder_kind = {.read = folder_read};
