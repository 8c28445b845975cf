// SPDX-License-Identifier: MIT
#pragma once

// Memory-conscious scheduling (Steckermeier & Bellosa 1995, "MTH", sections 3, 4 and 7.1): queues
// and pools follow the machine, which has processors on nodes.
//
//   machine        start queue
//   each node      start queue, pools of blocks and stacks, `balancing`
//   each processor start queue, run queue, deblocked threads, free lists
//
// A created thread is startable: it has no stack, and waits in a start queue, the machine's or that
// of the place which its creator has chosen (thread_place.h). A processor takes the runnable thread
// with the highest affinity from its own run queue, else a startable one from its own start queue,
// its node's, the machine's, else it balances (balance.h). A woken thread goes back to the
// processor on which it ran last, or to that of the thread with which it was created.
//
//   locks: one in each queue and each pool; no two are held at once
//
// Lock acquisitions in the life of a null thread: 2, both of the start queue that it goes through.
// Read without the lock: whether a queue is empty and how long it is; `running`, of whom a thread
// may be taken.
//
// A thread may be woken before its processor has noted that it has stopped. So whoever takes it
// from the deblocked ones waits until `running` of the processor where it ran is another (settled).
//
// A thread that yields runs after all others here, also after startable ones, for which it may be
// waiting. Affinity is not a promise of fairness: threads that wake each other could keep a
// processor for themselves. So each FAIR_TURNS-th turn goes to the thread of lowest affinity.

#define STRATEGY_NAME "memory-conscious"
#define STRATEGY_SPECIAL "for the claims MTH: a machine of nodes, with places for threads"
#define STRATEGY_LOCKS 2
#define STRATEGY_READY_ALL "threads of a barrier together"
#include "threads/affinity_log.h"
#include "threads/deblocked.h"
#include "threads/pools.h"
#include "threads/run_queue.h"
#include "threads/start_queue.h"
#include "topology.h"

#ifndef FAIR_TURNS
#define FAIR_TURNS 64  // a guess
#endif

// Of each processor; others use it, too.
static struct shared {
    PAGE_ALIGNED struct run_queue runnable;
    struct start_queue startable;
    struct deblocked deblocked;
    LINE_ALIGNED struct thread* volatile running;  // and what follows: written by its processor
    struct aff_processor affinity;
} shared[MAX_PROCESSORS] = {[0 ... MAX_PROCESSORS - 1] = {.runnable = {.lock = LOCK_INIT},
                                                          .startable = {.lock = LOCK_INIT}}};

static struct node {
    PAGE_ALIGNED struct start_queue startable;
    struct pool pool;
    struct {
        LINE_ALIGNED volatile unsigned char byte;
    } balancing;
} nodes[MAX_PROCESSORS] = {
    [0 ... MAX_PROCESSORS - 1] = {.startable = {.lock = LOCK_INIT},
                                  .pool = {.blocks_lock = LOCK_INIT, .stacks_lock = LOCK_INIT}}};

static struct {
    struct start_queue startable;
    LINE_ALIGNED unsigned processors;  // and what follows: written once
    unsigned nodes;
    unsigned char node_of[MAX_PROCESSORS];
} machine = {.startable = {.lock = LOCK_INIT}};

// Threads for one processor, linked by `next` from the last one back to the first.
struct chain {
    struct thread *first, *last;  // `last` is NULL: none
};

struct own {
    PAGE_ALIGNED struct local_lists lists;
    LINE_ALIGNED struct shared* shared;
    struct node* node;
    struct thread* taken;  // from another processor, by balance(); the next to run
    unsigned turns;        // until one that is fair
    struct chain chains[MAX_PROCESSORS];
};

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

// The first use of the processor's own page, by the processor itself.
static void own_setup(struct own* self) {
    const unsigned number = read_register(BOARD_PROCESSOR);
    self->shared = &shared[number];
    self->node = &nodes[machine.node_of[number]];
    self->turns = FAIR_TURNS;
}

ALWAYS_INLINE struct pool* near_pool(void) {
    struct own* self = own();
    if (self->node == NULL) own_setup(self);
    return &self->node->pool;
}

static void strategy_setup(unsigned processors) {
    machine.processors = processors;
    machine.nodes = topology_nodes();
    for (unsigned i = 0; i < processors; i++) machine.node_of[i] = topology_node(i);
    aff_setup();
}

// ---- creation ----

ALWAYS_INLINE struct placed_thread* block_filled(struct birth birth, thread_place place,
                                                 struct placed_thread* with) {
    struct placed_thread* thread = placed(pooled_block_take());
    if (thread == NULL) return NULL;
    thread->place = place;
    thread->with = with;
    thread_fill(&thread->thread, birth);
    return thread;
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct placed_thread* thread = block_filled(birth, THREAD_ANYWHERE, NULL);
    if (thread == NULL) return false;
    startable_put(&machine.startable, &thread->thread);
    return true;
}

static void strategy_refill(void) {
    pooled_blocks_refill();
}

static struct start_queue* start_queue_of(thread_place place) {
    if (is_processor(place)) return &shared[place % machine.processors].startable;
    if (place == THREAD_ANYWHERE) return &machine.startable;
    return &nodes[(place - THREAD_PLACE_NODE) % machine.nodes].startable;
}

static void create_placed(thread_function* function, void* argument, thread_place place,
                          struct placed_thread* with) {
    struct placed_thread* thread;
    while ((thread = block_filled((struct birth){function, argument, 0}, place, with)) == NULL)
        strategy_refill();
    startable_put(start_queue_of(place), &thread->thread);
}

THREADS_FUNCTION THREAD_CALL void thread_create_at(thread_function* function, void* argument,
                                                   thread_place place) {
    create_placed(function, argument, place, NULL);
}

THREADS_FUNCTION THREAD_CALL void thread_create_with(thread_function* function, void* argument,
                                                     struct thread* partner) {
    create_placed(function, argument, placed(partner)->place, placed(partner));
}

// ---- the end and the beginning of a thread's period on a processor ----

ALWAYS_INLINE void stopped(struct shared* here) {
    struct thread* thread = here->running;
    if (thread == NULL) return;
    AFFINITY_LOG_STOPPED(here - shared);
    aff_thread_stopped(&placed(thread)->affinity, &here->affinity);
    compiler_barrier();
    here->running = NULL;
}

ALWAYS_INLINE void started(struct shared* here, struct placed_thread* thread) {
    const thread_place place = here - shared;
    AFFINITY_LOGGED(place, &here->affinity, thread);
    enum aff_arrival arrival = AFF_BACK;
    if (thread->place != place) {
        arrival = AFF_MOVED;
        thread->place = place;
    }
    if (is_new(&thread->thread)) arrival = AFF_NEW;
    if (thread->yielded) thread->yielded = false;
    here->running = &thread->thread;
    aff_thread_started(&thread->affinity, &here->affinity, arrival);
}

// ---- blocked and yielding threads ----

static THREADS_FUNCTION void yielded(struct shared* here, struct placed_thread* thread) {
    stopped(here);
    thread->yielded = true;
    package_lock(&here->runnable.lock);
    run_queue_insert(&here->runnable, thread, &here->affinity);
    package_unlock(&here->runnable.lock);
}

// Where a blocked thread is to run.
ALWAYS_INLINE thread_place place_of(struct thread* thread) {
    const struct placed_thread* leader = placed(thread)->with;
    const thread_place place = leader != NULL ? leader->place : THREAD_ANYWHERE;
    return is_processor(place) ? place : placed(thread)->place;
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    struct shared* here = own()->shared;
    if (here->running == thread) {
        yielded(here, placed(thread));
        return;
    }
    deblocked_put(&shared[place_of(thread)].deblocked, thread);
}

// A processor gets all its threads of the queue in one step. An idle one would otherwise run the
// first thread that comes, whatever its affinity.
static THREADS_FUNCTION void strategy_ready_all(struct thread_queue* queue) {
    struct chain* chains = own()->chains;
    struct thread* thread;
    while ((thread = queue_take(queue)) != NULL) {
        struct chain* chain = &chains[place_of(thread)];
        if (chain->last == NULL) chain->first = thread;
        thread->next = chain->last;
        chain->last = thread;
    }
    for (unsigned place = 0; place < machine.processors; place++) {
        struct chain* chain = &chains[place];
        if (chain->last == NULL) continue;
        deblocked_put_all(&shared[place].deblocked, chain->first, chain->last);
        chain->last = NULL;
    }
}

static THREADS_FUNCTION void settled(const struct placed_thread* thread) {
    const struct shared* ran_on = &shared[thread->place];
    while (ran_on->running == &thread->thread) {
    }
}

// Gives the deblocked threads of a processor their places in its run queue, then takes the highest
// or the lowest. This processor or another calls it. NULL if there is none; then there is no lock
// taken.
ALWAYS_INLINE struct thread* runnable_take(struct shared* of, bool lowest) {
    struct run_queue* queue = &of->runnable;
    if (!deblocked_has_some(&of->deblocked) && !run_queue_has_some(queue)) return NULL;
    package_lock(&queue->lock);
    struct thread* next;
    for (struct thread* thread = deblocked_take(&of->deblocked); thread != NULL; thread = next) {
        next = thread->next;
        settled(placed(thread));
        run_queue_insert(queue, placed(thread), &of->affinity);
    }
    struct placed_thread* taken = lowest ? run_queue_lowest(queue) : run_queue_highest(queue);
    package_unlock(&queue->lock);
    return (struct thread*)taken;
}

static THREADS_FUNCTION struct thread* highest_take(struct shared* of) {
    return runnable_take(of, false);
}

static THREADS_FUNCTION struct thread* lowest_take(struct shared* of) {
    return runnable_take(of, true);
}

// ---- the next thread ----

#include "threads/balance.h"

static THREADS_FUNCTION struct thread* startable_near(struct own* self) {
    struct thread* thread = startable_take(&self->shared->startable);
    if (thread == NULL) thread = startable_take(&self->node->startable);
    if (thread == NULL) thread = startable_take(&machine.startable);
    return thread;
}

ALWAYS_INLINE bool startable_is_near(const struct own* self) {
    return startable_has_some(&self->shared->startable) ||
           startable_has_some(&self->node->startable) || startable_has_some(&machine.startable);
}

static THREADS_FUNCTION struct thread* lowest_near(struct own* self) {
    struct thread* thread = lowest_take(self->shared);
    self->turns = FAIR_TURNS;
    return thread != NULL ? thread : startable_near(self);
}

static THREADS_FUNCTION struct thread* thread_near_take(struct own* self) {
    struct thread* thread = self->taken;
    if (thread != NULL) {
        self->taken = NULL;
        return thread;
    }
    if (--self->turns == 0) return lowest_near(self);
    thread = highest_take(self->shared);
    if (thread == NULL) return startable_near(self);
    if (!placed(thread)->yielded || !startable_is_near(self)) return thread;
    yielded(self->shared, placed(thread));
    return startable_near(self);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    struct own* self = own();
    if (self->node == NULL) own_setup(self);
    struct shared* here = self->shared;
    stopped(here);
    if (stack != NULL) {
        pooled_block_put(finished);
        pooled_stack_put(stack);
    }
    struct next next = {.thread = thread_near_take(self)};
    if (next.thread == NULL && threads_stopping) next.thread = any_take();
    if (next.thread == NULL) return next;
    started(here, placed(next.thread));
    if (is_new(next.thread)) next.stack = pooled_stack_take();
    return next;
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    const struct own* self = own();
    return deblocked_has_some(&self->shared->deblocked) ||
           run_queue_has_some(&self->shared->runnable) || startable_is_near(self);
}

static IDLE_FUNCTION void strategy_idle(void) {
    struct own* self = own();
    volatile unsigned char* balancing = &self->node->balancing.byte;
    const uint32_t since_us = read_register(BOARD_CLOCK_US);
    bool balances = false;
    while (!strategy_has_ready() && !threads_stopping && self->taken == NULL) {
        const uint32_t waited_us = read_register(BOARD_CLOCK_US) - since_us;
        if (waited_us < MOVE_US) continue;
        if (!balances) balances = *balancing == 0 && exchange_byte(balancing, 1) == 0;
        if (balances) self->taken = balance(self->shared, waited_us);
    }
    if (balances) exchange_byte(balancing, 0);
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < machine.processors; i++) local_lists_count(&own_of(i)->lists, counts);
    for (unsigned i = 0; i < machine.nodes; i++) pool_count(&nodes[i].pool, counts);
}
