// SPDX-License-Identifier: MIT
#pragma once

// Files in memory, and the tree of their names. Locks are taken in this order: the names, a node's
// turn, a memory, the pages of nodes.

#include "files.h"
#include "memory.h"
#include "program.h"

#define RIGHTS 07777u
#define TYPE_LINK 0120000u
#define TYPE_DEVICE 0020000u
#define FILE_BYTES_MOST (TABLES * TABLE_PAGES * PAGE_BYTES)

static inline bool is_type(const struct node* node, uint32_t type) {
    return (node->mode & TYPE_BITS) == type;
}

// ---- nodes.c ----

extern const struct file_kind regular_kind, folder_kind;
extern const char zero_page[PAGE_BYTES];
struct node* node_create(uint32_t mode);  // with one user; NULL: no memory
struct node* node_use(struct node* node);
void node_put(struct node* node);
// Its page, which the caller releases; 0 if it has none, or if there is no memory to create it.
uintptr_t node_page(struct node* node, uint32_t page, bool create);
enum way { TO_USER, TO_KERNEL, FROM_USER, FROM_KERNEL };
static inline bool is_write(enum way way) {
    return way >= FROM_USER;
}
// Returns how much has been moved, or an error; adds it to the position. NULL: at the end.
int node_move(struct node* node, uint32_t* position, uintptr_t other, uint32_t bytes, enum way way);
__attribute__((format(printf, 2, 3))) void node_print(struct node* node, const char* format, ...);
void node_changed(struct node* node);
int node_resize(struct node* node, uint64_t bytes);
bool node_is_executed(const struct node* node);  // execute.c

// ---- special.c ----

extern const struct file_kind zero_kind;
void setup_files(struct program* program);
struct node* node_given(const struct program* program, const struct given* given);

// ---- names.c ----

#define PATH_BYTES 1024
#define HERE ((uint32_t)-100)  // AT_FDCWD

extern struct node root;

// Where a path leads: a node, or NULL and where it would be.
struct place {
    struct node* folder;
    const char* name;
    uint32_t length;
    bool slash;  // the path ends with one
    struct node* node;
};
typedef int place_action(struct place* place, uintptr_t argument);

// Calls `act` where a path of ring 3 leads to, with the lock of the names.
int at_place(uint32_t folder, uintptr_t path, bool follow, place_action* act, uintptr_t argument);
// The same for the two paths of a rename.
int rename_paths(uint32_t from, uintptr_t from_path, uint32_t to, uintptr_t to_path,
                 uint32_t flags);
// What the path names, with one more user; NULL and an error.
struct node* node_at(uint32_t folder, uintptr_t path, bool follow, int* error);
// Gives the node, whose user it becomes, the name of a free place.
void name_node(struct node* node, struct place* place);
int remove_name(struct place* place);
// Creates what the kernel itself puts there, and the folders above it.
struct node* node_for(const char* path, uint32_t mode);
int path_of(struct node* node, char* to, uint32_t most);  // its length with the NUL; or an error
void names_lock(void);
void names_unlock(void);

// ---- node_calls.c ----

#define NO_FOLLOW 0x100u
#define EMPTY_PATH 0x1000u
#define PATH_FLAGS 0x7b00u  // with AT_EACCESS, AT_NO_AUTOMOUNT, AT_STATX_SYNC_TYPE

typedef int node_action(struct node* node, uintptr_t argument);
// Calls `act` for what a path of ring 3, or an open file, stands for.
int on_path(uint32_t folder, uintptr_t path, uint32_t flags, node_action* act, uintptr_t argument);
int on_file(uint32_t number, node_action* act, uintptr_t argument);
