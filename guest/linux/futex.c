// SPDX-License-Identifier: MIT

// Futexes: sleep and wake on a word of a process. Private and shared waits on one word have
// different keys, and do not wake each other.

#include "futex.h"

#include "thread.h"

#define BUCKETS 64

static struct queue buckets[BUCKETS];

// What a thread waits for: a word of a memory; of a shared area, a word of a page.
struct key {
    uintptr_t memory, word;
};

static struct queue* bucket_of(struct key key) {
    return &buckets[(key.word / 4 + key.memory / LINE_BYTES) % BUCKETS];
}

static int key_of(uintptr_t word, bool shared, struct key* key) {
    struct memory* memory = this_memory();
    *key = (struct key){(uintptr_t)memory + shared, word};
    if (word % 4 != 0) return -EINVAL;
    if (!shared) return 0;
    struct access access;
    spinlock_acquire(&memory->lock);
    const char* byte = page_byte(memory, word, false, &access);
    if (byte != NULL && area_at(memory, word)->shared) *key = (struct key){0, (uintptr_t)byte};
    spinlock_release(&memory->lock);
    access_end(memory, &access);
    return access.error;
}

int futex_wait(uintptr_t word, bool shared, uint32_t value, uint64_t deadline, uint32_t bits) {
    struct thread* thread = this_thread();
    struct key key;
    uint32_t found;
    if (bits == 0) return -EINVAL;
    int error = key_of(word, shared, &key);
    if (error) return error;
    struct queue* bucket = bucket_of(key);
    thread->key = key.memory;
    thread->word = key.word;
    thread->bits = bits;
    deadline_set(deadline);
    spinlock_acquire(&bucket->lock);
    error = read_word(word, &found);
    if (!error && found != value) error = -EAGAIN;
    if (error)
        spinlock_release(&bucket->lock);
    else
        error = sleep_in(bucket);
    deadline_clear();
    return error == -EINTR && deadline == NEVER ? -ERESTART : error;
}

// Moves at most `count` threads that wait for the key from the bucket to the list; its lock is
// held.
static unsigned take(struct queue* bucket, struct key key, unsigned count, uint32_t bits,
                     struct list* taken) {
    unsigned number = 0;
    struct thread *before = NULL, *next;
    for (struct thread* at = (struct thread*)bucket->list.first; at != NULL && number < count;
         at = next) {
        next = queue_next(at);
        if (at->key == key.memory && at->word == key.word && (at->bits & bits) != 0) {
            queue_remove(bucket, before, at);
            list_put(taken, &at->task.link);
            number++;
        } else {
            before = at;
        }
    }
    return number;
}

// As Linux counts those that are to be woken: at least one.
static unsigned at_least_one(unsigned count) {
    return (int)count < 1 ? 1 : count;
}

static void ready_all(struct list* woken) {
    for (struct link* link; (link = list_take(woken)) != NULL;) make_ready((struct task*)link);
}

int futex_wake(uintptr_t word, bool shared, unsigned count, uint32_t bits) {
    struct key key;
    struct list woken = {NULL, NULL};
    if (bits == 0) return -EINVAL;
    const int error = key_of(word, shared, &key);
    if (error) return error;
    struct queue* bucket = bucket_of(key);
    spinlock_acquire(&bucket->lock);
    const unsigned number = take(bucket, key, at_least_one(count), bits, &woken);
    spinlock_release(&bucket->lock);
    ready_all(&woken);
    return (int)number;
}

static void lock_both(struct queue* one, struct queue* other) {
    spinlock_acquire(one < other ? &one->lock : &other->lock);
    if (one != other) spinlock_acquire(one < other ? &other->lock : &one->lock);
}
static void unlock_both(struct queue* one, struct queue* other) {
    spinlock_release(&one->lock);
    if (one != other) spinlock_release(&other->lock);
}

static void move(struct list* moved, struct key key, struct queue* to) {
    for (struct link* link; (link = list_take(moved)) != NULL;) {
        struct thread* thread = (struct thread*)link;
        thread->key = key.memory;
        thread->word = key.word;
        thread->queue = to;
        list_put(&to->list, link);
    }
}

int futex_requeue(uintptr_t word, bool shared, unsigned wake, uintptr_t other, unsigned most,
                  const uint32_t* expected) {
    struct key from, to;
    struct list woken = {NULL, NULL}, moved = {NULL, NULL};
    uint32_t found;
    if ((int)wake < 0 || (int)most < 0) return -EINVAL;
    int error = key_of(word, shared, &from);
    if (!error) error = key_of(other, shared, &to);
    if (error) return error;
    struct queue *here = bucket_of(from), *there = bucket_of(to);
    lock_both(here, there);
    if (expected != NULL) error = read_word(word, &found);
    if (!error && expected != NULL && found != *expected) error = -EAGAIN;
    if (!error) {
        error = (int)take(here, from, wake, UINT32_MAX, &woken);
        const unsigned number = take(here, from, most, UINT32_MAX, &moved);
        move(&moved, to, there);
        error += (int)number;
    }
    unlock_both(here, there);
    ready_all(&woken);
    return error;
}

// ---- FUTEX_WAKE_OP: changes one word, and wakes on it too if its old value compares ----

enum change { SET, ADD, OR, AND_NOT, XOR, SHIFTED_ARGUMENT = 8 };
enum comparison { EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL };

static int changed(uint32_t operation, int32_t old, int32_t* value) {
    int32_t argument = (int32_t)(operation << 8) >> 20;
    if (operation >> 28 & SHIFTED_ARGUMENT) argument = 1 << (argument & 31);
    switch (operation >> 28 & 7) {
        case SET:
            *value = argument;
            return 0;
        case ADD:
            *value = old + argument;
            return 0;
        case OR:
            *value = old | argument;
            return 0;
        case AND_NOT:
            *value = old & ~argument;
            return 0;
        case XOR:
            *value = old ^ argument;
            return 0;
        default:
            return -ENOSYS;
    }
}

static int compares(uint32_t operation, int32_t old) {
    const int32_t argument = (int32_t)(operation << 20) >> 20;
    switch (operation >> 24 & 15) {
        case EQUAL:
            return old == argument;
        case NOT_EQUAL:
            return old != argument;
        case LESS:
            return old < argument;
        case LESS_OR_EQUAL:
            return old <= argument;
        case GREATER:
            return old > argument;
        case GREATER_OR_EQUAL:
            return old >= argument;
        default:
            return -ENOSYS;
    }
}

// Setting the word is one step. The other operations read it before, since a 386 has no cmpxchg:
// they lose what a locked instruction of the program stores between the read and the exchange.
static int change_word(uintptr_t word, uint32_t operation, int32_t* old) {
    struct memory* memory = this_memory();
    struct access access;
    int error = 0;
    spinlock_acquire(&memory->lock);
    volatile int32_t* place = (int32_t*)page_byte(memory, word, true, &access);
    if (place != NULL) {
        int32_t value;
        *old = *place;
        error = changed(operation, *old, &value);
        if (!error) *old = (int32_t)exchange_word((volatile unsigned*)place, (unsigned)value);
    }
    spinlock_release(&memory->lock);
    access_end(memory, &access);
    return access.error ? access.error : error;
}

int futex_wake_op(uintptr_t word, bool shared, unsigned wake, uintptr_t other, unsigned wake_other,
                  uint32_t operation) {
    struct key first, second;
    struct list woken = {NULL, NULL};
    int32_t old = 0;
    int error = key_of(word, shared, &first);
    if (!error) error = key_of(other, shared, &second);
    if (error) return error;
    struct queue *here = bucket_of(first), *there = bucket_of(second);
    lock_both(here, there);
    error = change_word(other, operation, &old);
    if (!error) {
        const int also = compares(operation, old);
        error = also;
        if (also >= 0) error = (int)take(here, first, at_least_one(wake), UINT32_MAX, &woken);
        if (also > 0)
            error += (int)take(there, second, at_least_one(wake_other), UINT32_MAX, &woken);
    }
    unlock_both(here, there);
    ready_all(&woken);
    return error;
}

// ---- robust lists: locks whose owner has ended ----

#define ROBUST_MOST 2048
#define OWNER_BITS 0x3fffffffu
#define OWNER_DIED 0x40000000u
#define WAITERS 0x80000000u

static void owner_ended(const struct thread* thread, uintptr_t word) {
    uint32_t value;
    if (word % 4 != 0 || read_word(word, &value) != 0) return;
    if ((value & OWNER_BITS) != (uint32_t)thread->id) return;
    if (write_word(word, (value & WAITERS) | OWNER_DIED) != 0) return;
    if (value & WAITERS) futex_wake(word, true, 1, UINT32_MAX);
}

void robust_list_end(struct thread* thread) {
    uint32_t head[3];  // next, offset of the word, one that is about to be put in
    if (thread->robust == 0 || copy_in(head, thread->robust, sizeof head) != 0) return;
    uint32_t entry = head[0];
    for (unsigned i = 0; i < ROBUST_MOST && (entry & ~1u) != thread->robust; i++) {
        const uint32_t this = entry & ~1u;
        if (read_word(this, &entry) != 0) break;
        if (this != (head[2] & ~1u)) owner_ended(thread, this + head[1]);
    }
    if (head[2] != 0) owner_ended(thread, (head[2] & ~1u) + head[1]);
}
