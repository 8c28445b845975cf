// SPDX-License-Identifier: MIT

// A pipeline of threads, for every strategy: a source, stages that compute, and a sink. A bounded
// buffer is in front of each stage and of the sink. A stage has several threads, so items can
// overtake each other; with one thread per stage they stay in order.
//
// Arguments  items       default 300
//            stages      that compute; default 4
//            workers     threads of a stage; default 5
//            slots       of a buffer; default 8
//            turns       iterations of the work on an item in a stage; default 400, about 0.5 ms
// Results    elapsed_us  from the first item at the source to the last at the sink
//            overtaken   items that reached the sink after one that left the source later
// Checks     each item arrives once, with the value computed by all stages; in order, if there is
//            one worker

#include "stdlib.h"
#include "symsim.h"
#include "threads.h"

struct item {
    unsigned number;
    uint32_t value;
};

struct arrival {
    unsigned times;
    uint32_t value;
};

// Closed when all its putters have left; takers still get the items in it.
struct buffer {
    struct thread_mutex mutex;
    struct thread_condition some, room;
    unsigned putters;
    unsigned first, count;
    struct item* items;  // a ring of `slots`
};

static unsigned items, stages, workers, slots, turns;
static struct buffer* buffers;   // one in front of each stage; the last is the sink's
static unsigned overtaken;       // written by the sink
static struct arrival* arrived;  // indexed by item number; written by the sink
static uint32_t elapsed_us;

static void* zeroed(unsigned count, size_t bytes) {
    void* memory = calloc(count, bytes);
    if (memory == NULL) panic("no memory for %u times %zu bytes", count, bytes);
    return memory;
}

// ---- the buffer ----

static void buffer_make(struct buffer* buffer, unsigned putters) {
    buffer->mutex = (struct thread_mutex)THREAD_MUTEX_INIT;
    buffer->some = buffer->room = (struct thread_condition)THREAD_CONDITION_INIT(&buffer->mutex);
    buffer->putters = putters;
    buffer->items = zeroed(slots, sizeof(struct item));
}

static void buffer_put(struct buffer* buffer, struct item item) {
    thread_mutex_lock(&buffer->mutex);
    while (buffer->count == slots) thread_condition_wait(&buffer->room);
    buffer->items[(buffer->first + buffer->count++) % slots] = item;
    thread_condition_signal(&buffer->some);
    thread_mutex_unlock(&buffer->mutex);
}

// False if the buffer is closed and empty.
static bool buffer_take(struct buffer* buffer, struct item* item) {
    thread_mutex_lock(&buffer->mutex);
    while (buffer->count == 0 && buffer->putters != 0) thread_condition_wait(&buffer->some);
    bool some = buffer->count != 0;
    if (some) {
        *item = buffer->items[buffer->first];
        buffer->first = (buffer->first + 1) % slots;
        buffer->count--;
        thread_condition_signal(&buffer->room);
    }
    thread_mutex_unlock(&buffer->mutex);
    return some;
}

static void buffer_leave(struct buffer* buffer) {
    thread_mutex_lock(&buffer->mutex);
    if (--buffer->putters == 0) thread_condition_broadcast(&buffer->some);
    thread_mutex_unlock(&buffer->mutex);
}

// ---- the threads ----

// The work of a stage on a value: iterations of a linear congruence (Press et al., Numerical
// Recipes in C, 2nd ed., 7.1).
static uint32_t worked_on(uint32_t value) {
    for (unsigned turn = 0; turn < turns; turn++) value = value * 1664525 + 1013904223;
    return value;
}

static void source(void* unused) {
    (void)unused;
    for (unsigned number = 0; number < items; number++)
        buffer_put(&buffers[0], (struct item){number, number});
    buffer_leave(&buffers[0]);
}

// The argument is the stage's buffer.
static void worker(void* argument) {
    struct buffer *from = argument, *to = from + 1;
    struct item item;
    while (buffer_take(from, &item)) {
        item.value = worked_on(item.value);
        buffer_put(to, item);
    }
    buffer_leave(to);
}

static void sink(void) {
    struct item item;
    unsigned next = 0;  // largest number so far, plus one
    while (buffer_take(&buffers[stages], &item)) {
        if (item.number >= items) panic("there is no item %u", item.number);
        if (item.number < next)
            overtaken++;
        else
            next = item.number + 1;
        arrived[item.number].times++;
        arrived[item.number].value = item.value;
    }
}

static void first_thread(void* unused) {
    (void)unused;
    uint32_t start_us = clock_us();
    thread_create(source, NULL);
    for (unsigned i = 0; i < stages * workers; i++) thread_create(worker, &buffers[i % stages]);
    sink();
    elapsed_us = clock_us() - start_us;
}

static bool check(void) {
    for (unsigned number = 0; number < items; number++) {
        uint32_t value = number;
        for (unsigned stage = 0; stage < stages; stage++) value = worked_on(value);
        if (arrived[number].times != 1 || arrived[number].value != value) {
            printf("item %u came %u times, as %u, not %u\n", number, arrived[number].times,
                   arrived[number].value, value);
            return false;
        }
    }
    if (workers == 1 && overtaken != 0) printf("%u items have been overtaken\n", overtaken);
    return workers != 1 || overtaken == 0;
}

int main(void) {
    items = arg_unsigned("items", 300);
    stages = arg_unsigned("stages", 4);
    workers = arg_unsigned("workers", 5);
    slots = arg_unsigned("slots", 8);
    turns = arg_unsigned("turns", 400);
    if (items == 0 || stages == 0 || workers == 0 || slots == 0)
        panic("items, stages, workers and slots must be at least 1");
    arrived = zeroed(items, sizeof *arrived);
    buffers = zeroed(stages + 1, sizeof *buffers);
    for (unsigned i = 0; i <= stages; i++) buffer_make(&buffers[i], i == 0 ? 1 : workers);

    threads_run(first_thread, NULL);
    report("elapsed_us", elapsed_us);
    report("overtaken", overtaken);
    return check() ? 0 : 1;
}
