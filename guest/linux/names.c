// SPDX-License-Identifier: MIT

// The tree of names. A node has one name, so there are no hard links. One lock is for all names.

#include "calls.h"
#include "nodes.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

#define LINKS_MOST 40  // symbolic links on one path

struct node root = {.kind = &folder_kind, .mode = TYPE_FOLDER | 0755, .users = 1, .number = 1};
static struct spinlock lock;
static uint32_t last_order;

void names_lock(void) {
    spinlock_acquire(&lock);
}
void names_unlock(void) {
    spinlock_release(&lock);
}

static struct node* child_of(const struct place* place) {
    struct node* child = place->folder->children;
    while (child != NULL && (memcmp(child->name, place->name, place->length) != 0 ||
                             child->name[place->length] != '\0'))
        child = child->next;
    return child;
}

static bool is_name(const struct place* place, const char* name) {
    return place->length == strlen(name) && memcmp(place->name, name, place->length) == 0;
}

// The node that the place names in its folder.
static struct node* look_up(const struct place* place) {
    struct node* folder = place->folder;
    if (place->length == 0 || is_name(place, ".")) return folder;
    if (is_name(place, "..")) return folder->parent != NULL ? folder->parent : folder;
    return child_of(place);
}

// A path of ring 3.
struct path {
    struct node* from;  // a user of it
    char text[PATH_BYTES];
};

// Puts what a symbolic link says in place of the path up to `rest`.
static int follow_link(struct path* path, const char* rest, struct node* link) {
    const uint32_t left = strlen(rest) + 1;
    const uintptr_t text = node_page(link, 0, false);
    if (text == 0) return -ENOENT;
    const bool fits = link->bytes + left <= sizeof path->text;
    if (fits) {
        memmove(path->text + link->bytes, rest, left);
        memcpy(path->text, (const char*)text, link->bytes);
    }
    frame_release(text);
    return fits ? 0 : -ENAMETOOLONG;
}

// Takes the next name from the path; returns what follows it.
static const char* next_name(const char* at, struct place* place) {
    while (*at == '/') at++;
    place->name = at;
    while (*at != '/' && *at != '\0') at++;
    place->length = (uint32_t)(at - place->name);
    place->slash = *at == '/';
    return at;
}

// Call with the lock.
static int walk(struct path* path, bool follow, struct place* place) {
    unsigned links = 0;
    const char* at = path->text;
    *place = (struct place){.node = *at == '/' ? &root : path->from};
    for (bool last = false; !last;) {
        if (place->node == NULL) return -ENOENT;
        if (!is_type(place->node, TYPE_FOLDER)) return -ENOTDIR;
        place->folder = place->node;
        at = next_name(at, place);
        if (place->length >= NAME_BYTES) return -ENAMETOOLONG;
        last = at[strspn(at, "/")] == '\0';
        place->node = look_up(place);
        if (place->node == NULL || !is_type(place->node, TYPE_LINK)) continue;
        if (last && !place->slash && !follow) continue;
        if (++links > LINKS_MOST) return -ELOOP;
        if (place->node->generate != NULL) {  // /proc/self/exe: its file may have no name
            place->node = this_thread()->process->executable;
            continue;
        }
        const int error = follow_link(path, at, place->node);
        if (error) return error;
        at = path->text;
        place->node = *at == '/' ? &root : place->folder;
        last = false;
    }
    if (place->node == NULL)
        return place->folder->parent != NULL || place->folder == &root ? 0 : -ENOENT;
    return place->slash && !is_type(place->node, TYPE_FOLDER) ? -ENOTDIR : 0;
}

static int path_get(struct path* path, uint32_t folder, uintptr_t text) {
    const int length = copy_text(path->text, text, sizeof path->text);
    if (length <= 0) return length < 0 ? length : -ENOENT;
    if (folder == HERE || path->text[0] == '/') {
        names_lock();
        path->from = node_use(this_thread()->process->folder);
        names_unlock();
        return 0;
    }
    struct file* file = file_get(folder);
    if (file == NULL) return -EBADF;
    path->from = file->node != NULL ? node_use(file->node) : NULL;
    file_put(file);
    return path->from != NULL ? 0 : -ENOTDIR;
}

int at_place(uint32_t folder, uintptr_t text, bool follow, place_action* act, uintptr_t argument) {
    struct path path;
    struct place place;
    int error = path_get(&path, folder, text);
    if (error) return error;
    names_lock();
    error = walk(&path, follow, &place);
    const int result = error ? error : act(&place, argument);
    names_unlock();
    node_put(path.from);
    return result;
}

static int use_node(struct place* place, uintptr_t to) {
    if (place->node == NULL) return -ENOENT;
    *(struct node**)to = node_use(place->node);
    return 0;
}

struct node* node_at(uint32_t folder, uintptr_t path, bool follow, int* error) {
    struct node* node = NULL;
    *error = at_place(folder, path, follow, use_node, (uintptr_t)&node);
    return node;
}

// ---- changes, with the lock ----

void name_node(struct node* node, struct place* place) {
    struct node** end = &place->folder->children;
    while (*end != NULL) end = &(*end)->next;
    memcpy(node->name, place->name, place->length);
    node->name[place->length] = '\0';
    node->parent = place->folder;
    node->next = NULL;
    node->order = ++last_order;
    *end = node;
    node_changed(place->folder);
}

static void take_name(struct node* node) {
    struct node** at = &node->parent->children;
    while (*at != node) at = &(*at)->next;
    *at = node->next;
    node_changed(node->parent);
    node->parent = NULL;
}

int remove_name(struct place* place) {
    if (place->node->children != NULL) return -ENOTEMPTY;
    take_name(place->node);
    node_put(place->node);
    return 0;
}

#define RENAME_NOREPLACE 1u

static bool is_dots(const struct place* place) {
    return place->length == 0 || is_name(place, ".") || is_name(place, "..");
}

static int rename_place(struct place* from, struct place* to, uint32_t flags) {
    struct node* node = from->node;
    if (node == NULL) return -ENOENT;
    if (is_dots(from) || is_dots(to)) return -EBUSY;
    const bool folder = is_type(node, TYPE_FOLDER);
    if (to->node == NULL && to->slash && !folder) return -ENOTDIR;
    for (struct node* at = to->folder; at != NULL; at = at->parent)
        if (at == node) return -EINVAL;
    if (to->node != NULL) {
        if (flags & RENAME_NOREPLACE) return -EEXIST;
        if (to->node == node) return 0;
        if (folder && !is_type(to->node, TYPE_FOLDER)) return -ENOTDIR;
        if (!folder && is_type(to->node, TYPE_FOLDER)) return -EISDIR;
        const int error = remove_name(to);
        if (error) return error;
    }
    take_name(node);
    name_node(node, to);
    node->written = true;
    return 0;
}

int rename_paths(uint32_t folder, uintptr_t text, uint32_t to_folder, uintptr_t to_text,
                 uint32_t flags) {
    struct path path, to_path;
    struct place from, to;
    if (flags & ~RENAME_NOREPLACE) return -EINVAL;
    int error = path_get(&path, folder, text);
    if (error) return error;
    error = path_get(&to_path, to_folder, to_text);
    if (!error) {
        names_lock();
        error = walk(&path, false, &from);
        if (!error) error = walk(&to_path, false, &to);
        if (!error) error = rename_place(&from, &to, flags);
        names_unlock();
        node_put(to_path.from);
    }
    node_put(path.from);
    return error;
}

struct node* node_for(const char* path, uint32_t mode) {
    struct place place = {.node = &root};
    while (*path != '\0') {
        place.folder = place.node;
        path = next_name(path, &place);
        place.node = look_up(&place);
        if (place.node != NULL) continue;
        place.node = node_create(*path == '\0' ? mode : TYPE_FOLDER | 0755);
        if (place.node == NULL) panic("no memory for files; raise memory.size_mb");
        name_node(place.node, &place);
    }
    return place.node;
}

int path_of(struct node* node, char* to, uint32_t most) {
    uint32_t at = most;
    int error = 0;
    to[--at] = '\0';
    names_lock();
    for (; node->parent != NULL; node = node->parent) {
        const uint32_t length = strlen(node->name);
        if (length + 1 > at) break;
        at -= length;
        memcpy(to + at, node->name, length);
        to[--at] = '/';
    }
    if (node != &root) error = node->parent == NULL ? -ENOENT : -ENAMETOOLONG;
    names_unlock();
    if (error) return error;
    if (at == most - 1) to[--at] = '/';
    memmove(to, to + at, most - at);
    return (int)(most - at);
}
