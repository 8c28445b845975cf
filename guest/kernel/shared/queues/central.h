// SPDX-License-Identifier: MIT

// One run queue for all processors, first in first out; each takes the first task that it may
// run.

static struct run_queue {
    struct spinlock lock;
    struct list list;
    volatile unsigned count[MAX_PROCESSORS];  // of tasks bound to each processor
    volatile unsigned unbound;
} queue;

static volatile unsigned* count_of(struct task* task) {
    return task->bound == UNBOUND ? &queue.unbound : &queue.count[task->bound];
}

void run_queue_add(struct task* task, unsigned home) {
    (void)home;
    spinlock_acquire(&queue.lock);
    list_put(&queue.list, &task->link);
    ++*count_of(task);
    spinlock_release(&queue.lock);
}

bool run_queue_has(unsigned processor) {
    return queue.unbound != 0 || queue.count[processor] != 0;
}

struct task* run_queue_take(unsigned processor) {
    if (!run_queue_has(processor)) return NULL;
    spinlock_acquire(&queue.lock);
    struct task* task = take_task(&queue.list, processor);
    if (task != NULL) --*count_of(task);
    spinlock_release(&queue.lock);
    return task;
}
