// SPDX-License-Identifier: MIT

// The run queues, chosen when the kernel is built: a file of queues/. All are made of lists, in
// which a processor takes the first task that it may run.

#include "task.h"

#include "symsim.h"

#ifndef KERNEL_QUEUES_FILE
#define KERNEL_QUEUES_FILE "queues/local.h"
#endif

static bool may_run(const struct task* task, unsigned processor) {
    return (task->bound == UNBOUND && KERNEL_MAY_RUN(task, processor)) ||
           task->bound == (int)processor;
}

// Removes the first task that `processor` may run; NULL if there is none.
static struct task* take_task(struct list* list, unsigned processor) {
    struct link *before = NULL, *link = list->first;
    while (link != NULL && !may_run((struct task*)link, processor)) {
        before = link;
        link = link->next;
    }
    if (link != NULL) list_take_after(list, before, link);
    return (struct task*)link;
}

#include KERNEL_QUEUES_FILE
