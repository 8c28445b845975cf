// SPDX-License-Identifier: MIT
#pragma once

// What a processor does that has no thread of its own (MTH section 7.1.3). One processor of a node
// balances at a time; the others watch their own queues. It looks
//
//   1. for startable threads: of the processors of its own node, then of the other nodes;
//   2. for runnable ones: in its own node, later in the others, that of the lowest affinity in the
//      longest queue.
//
// Whom it takes a thread from must be busy with another: an idle processor will run its own
// threads.
//
// When: a thread that moves has to load its working set again, and a placed thread leaves its
// place. A processor that idles first waits as long as that costs. Then it loses at most twice of
// what it would have lost had it known how long its own threads stay away (Karlin et al. 1991, as
// for spinning before blocking). The costs are guesses with a source:
//   MOVE_US      an eighth of MTH's cache of 1 MB, 4096 lines of 32 bytes, at 0.5 us a miss
//   MOVE_FAR_US  four times as much, as remote memory is to local (MTH Figure 3)
//
// At the end of the run nobody waits, and nobody watches: see any_take().

#include "cpu.h"
#include "lists.h"

#ifndef MOVE_US
#define MOVE_US 2000
#endif
#ifndef MOVE_FAR_US
#define MOVE_FAR_US (4 * MOVE_US)
#endif

ALWAYS_INLINE bool is_busy(const struct shared* of) {
    return of->running != NULL;
}

// The queue from which a thread should move: that of most threads, whose processor is busy.
static IDLE_FUNCTION struct shared* longest_queue(unsigned node, const struct shared* own) {
    struct shared* longest = NULL;
    unsigned most = 0;
    for (unsigned i = 0; i < machine.processors; i++) {
        struct shared* of = &shared[i];
        if (of == own || machine.node_of[i] != node) continue;
        const unsigned load = of->runnable.count + deblocked_has_some(&of->deblocked);
        // Read in this order: a processor whose only thread yields is not busy while the thread
        // waits.
        if (load <= most || !is_busy(of)) continue;
        most = load;
        longest = of;
    }
    return longest;
}

// Are all processors of the node busy? If one is not, it will run what the node has.
static IDLE_FUNCTION bool node_is_busy(unsigned node) {
    for (unsigned i = 0; i < machine.processors; i++)
        if (machine.node_of[i] == node && !is_busy(&shared[i])) return false;
    return true;
}

static IDLE_FUNCTION struct thread* startable_of_node(unsigned node, const struct shared* own) {
    struct thread* thread = NULL;
    if (startable_has_some(&nodes[node].startable) && node_is_busy(node))
        thread = startable_take(&nodes[node].startable);
    for (unsigned i = 0; thread == NULL && i < machine.processors; i++)
        if (&shared[i] != own && machine.node_of[i] == node && is_busy(&shared[i]))
            thread = startable_take(&shared[i].startable);
    return thread;
}

static IDLE_FUNCTION struct thread* runnable_of_node(unsigned node, const struct shared* own) {
    struct shared* longest = longest_queue(node, own);
    return longest != NULL ? lowest_take(longest) : NULL;
}

// A thread of another processor for this one, or NULL. `waited_us`: for how long it has had none.
static IDLE_FUNCTION struct thread* balance(const struct shared* own, uint32_t waited_us) {
    const unsigned here = machine.node_of[own - shared];
    struct thread* thread = startable_of_node(here, own);
    for (unsigned i = 1; thread == NULL && i < machine.nodes; i++)
        thread = startable_of_node((here + i) % machine.nodes, own);
    if (thread == NULL) thread = runnable_of_node(here, own);
    if (waited_us < MOVE_FAR_US) return thread;
    for (unsigned i = 1; thread == NULL && i < machine.nodes; i++)
        thread = runnable_of_node((here + i) % machine.nodes, own);
    return thread;
}

// Any thread of any processor, at the end of the run. NULL if there is none.
//
// No thread is lost, though a processor that has stopped may be given one. Who puts a thread into a
// queue is running a thread itself, and then looks into all queues before it stops. If it does not
// know yet that the run ends, threads_stopping is set later, and the processor that has set it
// looks into all queues after that: its store is visible first (stores_before_loads).
static IDLE_FUNCTION struct thread* any_take(void) {
    stores_before_loads();
    struct thread* thread = startable_take(&machine.startable);
    for (unsigned i = 0; thread == NULL && i < machine.nodes; i++)
        thread = startable_take(&nodes[i].startable);
    for (unsigned i = 0; thread == NULL && i < machine.processors; i++) {
        thread = startable_take(&shared[i].startable);
        if (thread == NULL) thread = lowest_take(&shared[i]);
    }
    return thread;
}
