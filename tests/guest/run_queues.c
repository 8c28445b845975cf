// SPDX-License-Identifier: MIT

// The queues of the strategy memory-conscious, without a dispatcher. The run queue (run_queue.h)
// against a sorted array: both ends, equal priorities first in first out, threads that have yielded
// last, few comparisons. The deblocked threads (deblocked.h): all processors put threads while one
// takes them; none is lost or comes twice, and those of one processor come in their order.

#include "cpu.h"
#include "test.h"

#define SYMSIM_AFFINITY_FILE "../tests/guest/counted_affinity.h"
#include "threads/deblocked.h"
#include "threads/run_queue.h"

#define THREADS 200
#define ROUNDS 3000
#define PRIORITIES 50
#define PUTS 60  // of each processor

static struct { struct processor processor; } own[MAX_PROCESSORS];
static struct aff_processor here;
static struct run_queue queue = {.lock = LOCK_INIT};
static struct placed_thread threads[THREADS];

// The same threads, the highest first.
static struct placed_thread* sorted[THREADS];
static unsigned length;

static bool before(const struct placed_thread* thread, const struct placed_thread* other) {
    if (thread->yielded) return false;
    return other->yielded || thread->affinity.priority > other->affinity.priority;
}

static void put(struct placed_thread* thread) {
    unsigned at = length++;
    for (; at > 0 && before(thread, sorted[at - 1]); at--) sorted[at] = sorted[at - 1];
    sorted[at] = thread;
    run_queue_insert(&queue, thread, &here);
}

static void check_highest(void) {
    CHECK(run_queue_highest(&queue) == (length != 0 ? sorted[0] : NULL));
    if (length == 0) return;
    sorted[0]->thread.argument = NULL;
    length--;
    for (unsigned i = 0; i < length; i++) sorted[i] = sorted[i + 1];
}

static void check_lowest(void) {
    CHECK(run_queue_lowest(&queue) == (length != 0 ? sorted[length - 1] : NULL));
    if (length != 0) sorted[--length]->thread.argument = NULL;
}

static void check_random_order(void) {
    for (unsigned i = 0; i < THREADS; i++) threads[i].shape = random_next();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct placed_thread* thread = &threads[random_below(THREADS)];
        const bool grows = round % (2 * THREADS) < THREADS;
        if (random_below(4) < (grows ? 3 : 1)) {
            if (thread->thread.argument != NULL) continue;  // is in the queue
            thread->thread.argument = thread;
            thread->affinity.priority = random_below(PRIORITIES);
            thread->yielded = random_below(10) == 0;
            put(thread);
        } else if (random_below(2) == 0) {
            check_highest();
        } else {
            check_lowest();
        }
        CHECK_EQUAL(queue.count, length);
        CHECK(run_queue_has_some(&queue) == (length != 0));
    }
    while (length > 0) check_highest();
    check_highest();
    check_lowest();
}

// Whatever the order of the calls, an insertion compares few threads: in a tree of random shape
// 2 ln n, 11 for 200 threads; the bound is twice that.
static void check_comparisons(unsigned step) {
    comparisons = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i].affinity.priority = i * step % THREADS;
        threads[i].yielded = false;
        run_queue_insert(&queue, &threads[i], &here);
    }
    CHECK(comparisons < THREADS * 22);
    const unsigned inserted = comparisons;
    for (unsigned i = 0; i < THREADS; i++) CHECK(run_queue_lowest(&queue) != NULL);
    CHECK_EQUAL(comparisons, inserted);  // removals compare nothing
}

// ---- deblocked threads ----

static struct deblocked deblocked;
static struct placed_thread woken[MAX_PROCESSORS][PUTS];
static struct { LINE_ALIGNED volatile unsigned next; } expected[MAX_PROCESSORS];

static unsigned take_all(void) {
    unsigned taken = 0;
    for (struct thread* thread = deblocked_take(&deblocked); thread != NULL;
         thread = thread->next) {
        const unsigned cpu = (placed(thread) - woken[0]) / PUTS;
        CHECK(placed(thread) == &woken[cpu][expected[cpu].next]);
        expected[cpu].next = expected[cpu].next + 1;
        taken++;
    }
    return taken;
}

static void wake_all(unsigned cpu, void* unused) {
    (void)unused;
    unsigned taken = 0;
    for (unsigned i = 0; i < PUTS; i++) {
        deblocked_put(&deblocked, &woken[cpu][i].thread);
        if (cpu == 0) taken += take_all();
    }
    while (cpu == 0 && taken < PUTS * processors()) taken += take_all();
}

static void check_deblocked(void) {
    CHECK(!deblocked_has_some(&deblocked));
    run_on_all(wake_all, NULL);
    CHECK(!deblocked_has_some(&deblocked));
    for (unsigned i = 0; i < processors(); i++) CHECK_EQUAL(expected[i].next, PUTS);
}

int main(void) {
    processor_setup(0, &own[0].processor, sizeof own[0]);
    check_random_order();
    check_comparisons(1);
    check_comparisons(THREADS - 1);
    check_comparisons(7);
    check_comparisons(0);
    check_deblocked();
    return 0;
}
