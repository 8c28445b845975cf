// SPDX-License-Identifier: MIT

// One run queue for all processors, first in first out; each takes the first process that it may
// run.

static struct run_queue {
    struct spinlock lock;
    struct process *first, *last;
    volatile unsigned count[MAX_PROCESSORS];  // of processes bound to each processor
    volatile unsigned unbound;
} queue;

static volatile unsigned* count_of(struct process* process) {
    return process->bound == ANY_PROCESSOR ? &queue.unbound : &queue.count[process->bound];
}

void run_queue_add(struct process* process, unsigned home) {
    (void)home;
    spinlock_acquire(&queue.lock);
    process->next = NULL;
    if (queue.first == NULL)
        queue.first = process;
    else
        queue.last->next = process;
    queue.last = process;
    ++*count_of(process);
    spinlock_release(&queue.lock);
}

bool run_queue_has(unsigned processor) {
    return queue.unbound != 0 || queue.count[processor] != 0;
}

struct process* run_queue_take(unsigned processor) {
    if (!run_queue_has(processor)) return NULL;
    spinlock_acquire(&queue.lock);
    struct process *before = NULL, *process = queue.first;
    while (process != NULL && process->bound != ANY_PROCESSOR && process->bound != (int)processor) {
        before = process;
        process = process->next;
    }
    if (process != NULL) {
        if (before == NULL)
            queue.first = process->next;
        else
            before->next = process->next;
        if (queue.last == process) queue.last = before;
        --*count_of(process);
    }
    spinlock_release(&queue.lock);
    return process;
}
