// SPDX-License-Identifier: MIT

// Sleep and wake. A thread that is about to sleep says so before it looks for reasons not to; who
// has such a reason notes it before he looks whether the thread sleeps. Both make their stores
// visible in between (ordering.h rule 4), so one of them sees the other.

#include "symsim.h"
#include "thread.h"

struct thread* queue_next(struct thread* thread) {
    return (struct thread*)thread->task.link.next;
}

void queue_remove(struct queue* queue, struct thread* before, struct thread* thread) {
    list_take_after(&queue->list, before != NULL ? &before->task.link : NULL, &thread->task.link);
    thread->queue = NULL;
}

void give_up_turn(void) {
    PROBE(PROBE_PROCESS_YIELD, this_thread()->task.number);
    requeue_task();
}

void wake(struct thread* thread) {
    PROBE(PROBE_PROCESS_WAKE, thread->task.number);
    make_ready(&thread->task);
}

void wake_threads(struct list* threads) {
    for (struct link* link; (link = list_take(threads)) != NULL;) wake((struct thread*)link);
}

void queue_wake(struct queue* queue, const void* key) {
    struct thread *before = NULL, *next;
    for (struct thread* at = (struct thread*)queue->list.first; at != NULL; at = next) {
        next = queue_next(at);
        if (key == NULL || at->key == (uintptr_t)key) {
            queue_remove(queue, before, at);
            wake(at);
        } else {
            before = at;
        }
    }
}

void wake_all(struct queue* queue) {
    queue_wake(queue, NULL);
    spinlock_release(&queue->lock);
}

static int reason_not_to_sleep(const struct thread* thread) {
    if (must_end(thread) || signal_waits(thread)) return -EINTR;
    return thread->late ? -ETIMEDOUT : 0;
}

int sleep_in(struct queue* queue) {
    struct thread* thread = this_thread();
    thread->why = 0;
    thread->queue = queue;
    stores_before_loads();
    const int error = reason_not_to_sleep(thread);
    if (error) {
        thread->queue = NULL;
        spinlock_release(&queue->lock);
        return error;
    }
    list_put(&queue->list, &thread->task.link);
    block_task(&queue->lock);
    return thread->why;
}

static struct queue* lock_queue_of(struct thread* thread) {
    struct queue* queue;
    while ((queue = thread->queue) != NULL) {
        spinlock_acquire(&queue->lock);
        if (thread->queue == queue) return queue;
        spinlock_release(&queue->lock);  // it has been moved meanwhile
    }
    return NULL;
}

void end_sleep(struct thread* thread, int why) {
    stores_before_loads();
    struct queue* queue = lock_queue_of(thread);
    if (queue == NULL) return;
    struct thread *before = NULL, *at = (struct thread*)queue->list.first;
    while (at != thread) {
        before = at;
        at = queue_next(at);
    }
    queue_remove(queue, before, thread);
    thread->why = why;
    spinlock_release(&queue->lock);
    wake(thread);
}

bool call_goes_on(void) {
    answer_flush();
    expire_timers(this_thread()->process);
    if (run_queue_has(read_register(BOARD_PROCESSOR))) give_up_turn();
    return !signal_interrupts();
}

static void deadline_over(struct timer* timer) {
    struct thread* thread = (struct thread*)((char*)timer - offsetof(struct thread, deadline));
    thread->late = true;
    end_sleep(thread, -ETIMEDOUT);
}

void deadline_set(uint64_t at) {
    struct thread* thread = this_thread();
    thread->late = false;
    if (at == NEVER) return;
    thread->deadline.at = at;
    thread->deadline.fire = deadline_over;
    timer_add(&thread->deadline);
}

void deadline_clear(void) {
    timer_remove(&this_thread()->deadline);
}

static struct queue sleepers;

int sleep_for_signal(uint64_t deadline) {
    int error;
    do {
        deadline_set(deadline);
        spinlock_acquire(&sleepers.lock);
        error = sleep_in(&sleepers);
        deadline_clear();
    } while (error == -EINTR && !signal_interrupts());
    return error;
}
