// SPDX-License-Identifier: MIT

// A run queue for each processor, first in first out. A processor whose queue is empty steals from
// the others, in order of their numbers after its own.

static struct run_queue {
    struct spinlock lock;
    struct list list;
    volatile unsigned count;
} queues[MAX_PROCESSORS];

void run_queue_add(struct task* task, unsigned home) {
    struct run_queue* queue = &queues[KERNEL_QUEUE_OF(home)];
    spinlock_acquire(&queue->lock);
    list_put(&queue->list, &task->link);
    queue->count++;
    spinlock_release(&queue->lock);
}

bool run_queue_has(unsigned processor) {
    return queues[KERNEL_QUEUE_OF(processor)].count != 0;
}

// The first task of the queue that `processor` may run.
static struct task* take_from(struct run_queue* queue, unsigned processor) {
    if (queue->count == 0) return NULL;
    spinlock_acquire(&queue->lock);
    struct task* task = take_task(&queue->list, processor);
    if (task != NULL) queue->count--;
    spinlock_release(&queue->lock);
    return task;
}

struct task* run_queue_take(unsigned processor) {
    const unsigned number = processors();
    for (unsigned i = 0; i < number; i++) {
        struct task* task =
            take_from(&queues[(KERNEL_QUEUE_OF(processor) + i) % number], processor);
        if (task != NULL) return task;
    }
    return NULL;
}
