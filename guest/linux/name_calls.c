// SPDX-License-Identifier: MIT

// Calls on names: open, and what creates, reads, removes and changes them.

#include "calls.h"
#include "nodes.h"
#include "string.h"
#include "thread.h"

static uint32_t new_mode(uint32_t type, uint32_t rights) {
    return type | (rights & RIGHTS & ~this_thread()->process->mask);
}

// Creates what is not there yet.
static int create(struct place* place, uintptr_t mode) {
    if (place->node != NULL) return -EEXIST;
    place->node = node_create(mode);
    if (place->node == NULL) return -ENOSPC;
    name_node(place->node, place);
    place->node->written = true;
    return 0;
}

// ---- open ----

struct opening {
    uint32_t flags, rights;
    struct node* node;  // with one more user
};

static int open_place(struct place* place, uintptr_t argument) {
    struct opening* opening = (struct opening*)argument;
    const uint32_t flags = opening->flags;
    const bool writes = (flags & O_ACCESS) != O_RDONLY;
    if (place->node == NULL) {
        if (!(flags & O_CREAT)) return -ENOENT;
        if (place->slash) return -EISDIR;
        const int error = create(place, new_mode(TYPE_REGULAR, opening->rights));
        if (error) return error;
    } else if ((flags & O_CREAT) && (flags & O_EXCL)) {
        return -EEXIST;
    }
    struct node* node = place->node;
    if (is_type(node, TYPE_LINK)) return -ELOOP;
    if (is_type(node, TYPE_FOLDER) && (writes || (flags & O_CREAT))) return -EISDIR;
    if (!is_type(node, TYPE_FOLDER) && (flags & O_DIRECTORY)) return -ENOTDIR;
    if (node->generate != NULL && writes) return -EACCES;
    if (writes && node_is_executed(node)) return -ETXTBSY;
    opening->node = node_use(node);
    return 0;
}

// The text of a file of /proc is that of the moment when it is opened.
static struct node* generated(struct node* node) {
    struct node* text = node_create(node->mode);
    if (text != NULL) node->generate(text);
    node_put(node);
    return text;
}

static struct file* open_node(struct node* node, uint32_t flags) {
    if (node->generate != NULL) node = generated(node);
    struct file* file = node != NULL ? file_create(node->kind, NULL, flags) : NULL;
    if (file != NULL)
        file->node = node;
    else if (node != NULL)
        node_put(node);
    return file;
}

#define NOT_KEPT (O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC)

static int open_path(uint32_t folder, uintptr_t path, uint32_t flags, uint32_t rights) {
    struct opening opening = {flags, rights, NULL};
    const bool follow = !(flags & O_NOFOLLOW) && (~flags & (O_CREAT | O_EXCL)) != 0;
    if ((flags & O_ACCESS) == O_ACCESS) return -EINVAL;
    const int error = at_place(folder, path, follow, open_place, (uintptr_t)&opening);
    if (error) return error;
    struct file* file = open_node(opening.node, flags & ~NOT_KEPT);
    if (file == NULL) return -ENOMEM;
    if ((flags & O_TRUNC) && (flags & O_ACCESS) != O_RDONLY && file->kind == &regular_kind)
        node_resize(file->node, 0);
    return file_number(file, 0, flags);
}
CALL(open, open_path(HERE, frame->ebx, frame->ecx, frame->edx))
CALL(creat, open_path(HERE, frame->ebx, O_CREAT | O_WRONLY | O_TRUNC, frame->ecx))
CALL(openat, open_path(frame->ebx, frame->ecx, frame->edx, frame->esi))

// ---- names ----

CALL(mkdir, at_place(HERE, frame->ebx, false, create, new_mode(TYPE_FOLDER, frame->ecx)))
CALL(mkdirat, at_place(frame->ebx, frame->ecx, false, create, new_mode(TYPE_FOLDER, frame->edx)))

static int link_place(struct place* place, uintptr_t text) {
    const int error = place->slash ? -ENOENT : create(place, TYPE_LINK | 0777);
    if (!error) node_move(place->node, NULL, text, strlen((const char*)text), FROM_KERNEL);
    return error;
}

static int make_link(uintptr_t text, uint32_t folder, uintptr_t path) {
    char copy[PATH_BYTES];
    const int length = copy_text(copy, text, sizeof copy);
    if (length <= 0) return length < 0 ? length : -ENOENT;
    return at_place(folder, path, false, link_place, (uintptr_t)copy);
}
CALL(symlink, make_link(frame->ebx, HERE, frame->ecx))
CALL(symlinkat, make_link(frame->ebx, frame->ecx, frame->edx))

#define REMOVE_FOLDER 0x200u

static int unlink_place(struct place* place, uintptr_t flags) {
    if (place->node == NULL) return -ENOENT;
    const bool folder = is_type(place->node, TYPE_FOLDER);
    if (flags == 0) return folder ? -EISDIR : remove_name(place);
    if (!folder) return -ENOTDIR;
    if (place->node == &root) return -EBUSY;
    if (place->node == place->folder) return -EINVAL;             // "."
    if (place->node == place->folder->parent) return -ENOTEMPTY;  // ".."
    return remove_name(place);
}
CALL(unlink, at_place(HERE, frame->ebx, false, unlink_place, 0))
CALL(rmdir, at_place(HERE, frame->ebx, false, unlink_place, REMOVE_FOLDER))
CALL(unlinkat, frame->edx & ~REMOVE_FOLDER
                   ? -EINVAL
                   : at_place(frame->ebx, frame->ecx, false, unlink_place, frame->edx))

CALL(rename, rename_paths(HERE, frame->ebx, HERE, frame->ecx, 0))
CALL(renameat, rename_paths(frame->ebx, frame->ecx, frame->edx, frame->esi, 0))
CALL(renameat2, rename_paths(frame->ebx, frame->ecx, frame->edx, frame->esi, frame->edi))

static int read_link(uint32_t folder, uintptr_t path, uintptr_t to, int bytes) {
    int done;
    uint32_t begin = 0;
    if (bytes <= 0) return -EINVAL;
    struct node* node = node_at(folder, path, false, &done);
    if (node == NULL) return done;
    if (is_type(node, TYPE_LINK) && node->generate != NULL) node = generated(node);
    if (node == NULL) return -ENOMEM;
    done =
        is_type(node, TYPE_LINK) ? node_move(node, &begin, to, (uint32_t)bytes, TO_USER) : -EINVAL;
    node_put(node);
    return done;
}
CALL(readlink, read_link(HERE, frame->ebx, frame->ecx, (int)frame->edx))
CALL(readlinkat, read_link(frame->ebx, frame->ecx, frame->edx, (int)frame->esi))

// ---- folders ----

static int change_folder(struct node* node, uintptr_t unused) {
    struct process* process = this_thread()->process;
    (void)unused;
    if (!is_type(node, TYPE_FOLDER)) return -ENOTDIR;
    node_use(node);
    names_lock();
    struct node* before = process->folder;
    process->folder = node;
    names_unlock();
    node_put(before);
    return 0;
}
CALL(chdir, on_path(HERE, frame->ebx, 0, change_folder, 0))
CALL(fchdir, on_file(frame->ebx, change_folder, 0))

int call_getcwd(struct trap_frame* frame) {
    char path[PATH_BYTES];
    const int length = path_of(this_thread()->process->folder, path, sizeof path);
    if (length < 0) return length;
    if ((uint32_t)length > frame->ecx) return -ERANGE;
    return copy_out(frame->ebx, path, (uint32_t)length) != 0 ? -EFAULT : length;
}

struct entry {
    uint64_t number, next;
    uint16_t bytes;
    uint8_t type;
    char name[NAME_BYTES + 5];
} __attribute__((packed));
#define ENTRY_HEAD 19u

// Writes the entry if there is room for it; returns its bytes, or an error.
static int put_entry(const struct node* node, const char* name, uint32_t next, uintptr_t to,
                     uint32_t room) {
    const uint32_t bytes = (ENTRY_HEAD + strlen(name) + 1 + 7) & ~7u;
    struct entry entry = {node->number, next, (uint16_t)bytes, (uint8_t)(node->mode >> 12), ""};
    if (bytes > room) return 0;
    strcpy(entry.name, name);
    return copy_out(to, &entry, bytes) != 0 ? -EFAULT : (int)bytes;
}

// The position in a folder is 0 before ".", 1 before "..", and then 2 + what came last.
static int list_folder(struct file* file, uintptr_t to, uint32_t bytes) {
    struct node *folder = file->node, *child = folder->children;
    uint32_t done = 0;
    for (;;) {
        const char* dots = file->position == 0 ? "." : file->position == 1 ? ".." : NULL;
        while (dots == NULL && child != NULL && child->order + 2 <= file->position)
            child = child->next;
        if (dots == NULL && child == NULL) return (int)done;
        const uint32_t next = dots != NULL ? file->position + 1 : child->order + 2;
        const int now = put_entry(dots != NULL ? folder : child, dots != NULL ? dots : child->name,
                                  next, to + done, bytes - done);
        if (now <= 0) return done > 0 ? (int)done : now < 0 ? now : -EINVAL;
        file->position = next;
        done += (uint32_t)now;
    }
}

int call_getdents64(struct trap_frame* frame) {
    struct file* file = file_get(frame->ebx);
    if (file == NULL) return -EBADF;
    names_lock();
    const int done =
        file->kind == &folder_kind ? list_folder(file, frame->ecx, frame->edx) : -ENOTDIR;
    names_unlock();
    file_put(file);
    return done;
}

int call_umask(struct trap_frame* frame) {
    struct process* process = this_thread()->process;
    const int before = (int)process->mask;
    process->mask = frame->ebx & 0777;
    return before;
}
