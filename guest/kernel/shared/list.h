// SPDX-License-Identifier: MIT
#pragma once

// Lists, first in first out. What is to be in one has a struct link as its first member, and is in
// one list at a time. A list is locked by the part that has it.

#include <stdbool.h>
#include <stddef.h>

struct link {
    struct link* next;
};

struct list {
    struct link *first, *last;  // `last` means nothing if `first` is NULL, an empty list
};

// True if there is nothing in the list, also for a processor that does not have its lock.
static inline bool list_is_empty(const struct list* list) {
    return *(struct link* volatile*)&list->first == NULL;
}

// Puts `link` at the end.
static inline void list_put(struct list* list, struct link* link) {
    link->next = NULL;
    if (list->first == NULL)
        list->first = link;
    else
        list->last->next = link;
    list->last = link;
}

// Removes the first one and returns it; NULL if the list is empty.
static inline struct link* list_take(struct list* list) {
    struct link* link = list->first;
    if (link != NULL) list->first = link->next;
    return link;
}

// Removes `link`, which comes after `before`, or is the first one if that is NULL.
static inline void list_take_after(struct list* list, struct link* before, struct link* link) {
    if (before == NULL)
        list->first = link->next;
    else
        before->next = link->next;
    if (list->last == link) list->last = before;
}
