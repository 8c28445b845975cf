// SPDX-License-Identifier: MIT

// One run queue for all processors, first in first out; each takes the first process that it may
// run.

static struct run_queue {
    struct spinlock lock;
    struct list list;
    volatile unsigned count[MAX_PROCESSORS];  // of processes bound to each processor
    volatile unsigned unbound;
} queue;

static volatile unsigned* count_of(struct process* process) {
    return process->bound == ANY_PROCESSOR ? &queue.unbound : &queue.count[process->bound];
}

void run_queue_add(struct process* process, unsigned home) {
    (void)home;
    spinlock_acquire(&queue.lock);
    list_add(&queue.list, process);
    ++*count_of(process);
    spinlock_release(&queue.lock);
}

bool run_queue_has(unsigned processor) {
    return queue.unbound != 0 || queue.count[processor] != 0;
}

struct process* run_queue_take(unsigned processor) {
    if (!run_queue_has(processor)) return NULL;
    spinlock_acquire(&queue.lock);
    struct process* process = list_take(&queue.list, processor);
    if (process != NULL) --*count_of(process);
    spinlock_release(&queue.lock);
    return process;
}
