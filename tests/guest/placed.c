// SPDX-License-Identifier: MIT

// Places of threads on a machine of nodes: a thread for a node runs there if one of its processors
// is free, and thread_near() finds the node whose memory has an address.

#include "cpu.h"
#include "test.h"
#include "thread_place.h"
#include "threads.h"
#include "topology.h"

// Each is first touched by its processor.
static struct { volatile unsigned word __attribute__((aligned(4096))); } pages[MAX_PROCESSORS];

static struct thread_semaphore done;

static void touch(unsigned cpu, void* unused) {
    (void)unused;
    pages[cpu].word = cpu;
}

static void runs_on(void* node) {
    CHECK_EQUAL(topology_node(read_register(BOARD_PROCESSOR)), (unsigned)node);
    thread_yield();
    CHECK_EQUAL(topology_node(read_register(BOARD_PROCESSOR)), (unsigned)node);
    thread_semaphore_post(&done);
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned node = 0; node < topology_node(processors() - 1) + 1; node++) {
        thread_create_at(runs_on, (void*)node, thread_on_node(node));
        thread_semaphore_wait(&done);
    }
    for (unsigned cpu = 0; cpu < processors(); cpu++) {
        const thread_place place = thread_near((const void*)&pages[cpu].word);
        CHECK_EQUAL(place, thread_on_node(topology_node(cpu)));
        thread_create_at(runs_on, (void*)topology_node(cpu), place);
        thread_semaphore_wait(&done);
    }
}

int main(void) {
    CHECK(topology_nodes() > 1);
    done = (struct thread_semaphore)THREAD_SEMAPHORE_INIT(0);
    run_on_all(touch, NULL);
    threads_run(first_thread, NULL);
    return 0;
}
