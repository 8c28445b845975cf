// SPDX-License-Identifier: MIT

// The two operations on the central ready queue (ALL section 4.5, claim ALL-62): enqueue and
// dequeue of a thread, each with acquisition and release of the lock. It runs the package's code on
// a queue of its own, in a loop whose own time is subtracted.
//
// Built with single-lock, which has another queue, so that only one lock has the queue lock's name.
//
// Arguments   rounds   repetitions of the loops below; default 200
// Results     enqueue_us, dequeue_us: of one operation
// Checks      as many threads come out as went in; then the queue is empty

#include "symsim.h"
#include "threads.h"
#include "threads/central_queue.h"

#define OPERATIONS 256  // per loop: these threads fit into the cache

static struct thread threads[OPERATIONS];
static unsigned rounds, left;
static uint32_t loop_us, enqueue_us, dequeue_us;

// A copy of the loop for each operation; adds its time to `sum_us`.
#define TIMED_LOOP(sum_us, operation)                                                    \
    do {                                                                                 \
        uint32_t start_us = clock_us();                                                  \
        for (struct thread* thread = threads; thread < threads + OPERATIONS; thread++) { \
            compiler_barrier();                                                          \
            operation;                                                                   \
        }                                                                                \
        sum_us += clock_us() - start_us;                                                 \
    } while (0)

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < rounds; i++) {
        TIMED_LOOP(loop_us, );
        TIMED_LOOP(enqueue_us, central_put(thread));
        TIMED_LOOP(dequeue_us, central_take());
        if (central_has_some()) left++;
    }
}

static int64_t each_ns(uint32_t elapsed_us) {
    return ((int64_t)elapsed_us - loop_us) * 1000 / (rounds * OPERATIONS);
}

int main(void) {
    rounds = arg_unsigned("rounds", 200);
    if (rounds == 0) panic("rounds must be at least 1");
    threads_run(first_thread, NULL);
    report_thousandths("enqueue_us", each_ns(enqueue_us));
    report_thousandths("dequeue_us", each_ns(dequeue_us));
    if (left != 0) printf("threads were left in the queue after %u rounds\n", left);
    return left == 0 ? 0 : 1;
}
