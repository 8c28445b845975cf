// SPDX-License-Identifier: MIT

// The run queues, chosen when the kernel is built: a file of queues/. All are made of lists, first
// in first out, in which a processor takes the first process that it may run.

#include "kernel.h"

#ifndef KERNEL_QUEUES_FILE
#define KERNEL_QUEUES_FILE "queues/local.h"
#endif

// Its user locks it.
struct list {
    struct process *first, *last;
};

static void list_add(struct list* list, struct process* process) {
    process->next = NULL;
    if (list->first == NULL)
        list->first = process;
    else
        list->last->next = process;
    list->last = process;
}

// Removes the first process that `processor` may run; NULL if there is none.
static struct process* list_take(struct list* list, unsigned processor) {
    struct process *before = NULL, *process = list->first;
    while (process != NULL && process->bound != ANY_PROCESSOR && process->bound != (int)processor) {
        before = process;
        process = process->next;
    }
    if (process == NULL) return NULL;
    if (before == NULL)
        list->first = process->next;
    else
        before->next = process->next;
    if (list->last == process) list->last = before;
    return process;
}

#include KERNEL_QUEUES_FILE
