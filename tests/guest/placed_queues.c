// SPDX-License-Identifier: MIT

// Which queue a thread of the strategy memory-conscious goes to and comes from, without a
// dispatcher: start queues by place, the order in which a processor looks for work, where woken
// threads go, alone and together, threads that yield, and that every FAIR_TURNS-th turn is for the
// lowest.

#include "cpu.h"
#include "test.h"

#define SYMSIM_STRATEGY_FILE "threads/strategies/memory-conscious.h"
#define SYMSIM_AFFINITY_FILE "threads/affinity/vtime.h"
#define FAIR_TURNS 10
#include "free_lists.h"
#include "threads/strategy.h"

struct processor_and_own thread_processors[MAX_PROCESSORS];
struct threads_end threads_end;

void thread_returned(void);
void thread_returned(void) {}  // no thread runs here

static void function(void* unused) {
    (void)unused;
}

static struct thread* created_in(struct start_queue* queue) {
    struct thread* thread = startable_take(queue);
    CHECK(thread != NULL && !startable_has_some(queue));
    CHECK(thread->function == function && is_new(thread));
    return thread;
}

static void check_places(void) {
    thread_create_at(function, NULL, thread_on_processor(1));
    struct placed_thread* leader = placed(created_in(&shared[1].startable));
    CHECK_EQUAL(leader->place, 1);
    thread_create_with(function, NULL, &leader->thread);
    struct placed_thread* follower = placed(created_in(&shared[1].startable));
    CHECK(follower->with == leader && leader->with == NULL);
    thread_create_at(function, NULL, thread_on_node(0));
    pooled_block_put(created_in(&nodes[0].startable));
    CHECK(strategy_create((struct birth){function, NULL, 0}));
    pooled_block_put(created_in(&machine.startable));

    // A thread returns to where it ran last, the follower to where the leader ran last.
    leader->thread.context = follower->thread.context = leader;
    follower->place = 1;
    leader->place = 0;
    strategy_ready(&follower->thread);
    CHECK(deblocked_take(&shared[0].deblocked) == &follower->thread);
    leader->place = 1;
    strategy_ready(&leader->thread);
    CHECK(deblocked_take(&shared[1].deblocked) == &leader->thread);
    leader->thread.context = follower->thread.context = NULL;
    pooled_block_put(&leader->thread);
    pooled_block_put(&follower->thread);
}

// The threads of a queue become ready together, each processor's in the queue's order, twice.
static void check_ready_all(void) {
    struct placed_thread* threads[4];
    for (unsigned i = 0; i < 4; i++) {
        thread_create_at(function, NULL, thread_on_processor(i != 1));
        threads[i] = placed(created_in(&shared[i != 1].startable));
        threads[i]->thread.context = threads[i];
    }
    for (unsigned turn = 0; turn < 2; turn++) {
        struct thread_queue queue = {NULL, NULL};
        for (unsigned i = 0; i < 4; i++) queue_put(&queue, &threads[i]->thread);
        strategy_ready_all(&queue);
        CHECK(deblocked_take(&shared[0].deblocked) == &threads[1]->thread);
        const struct thread* ready = deblocked_take(&shared[1].deblocked);
        CHECK(ready == &threads[0]->thread && ready->next == &threads[2]->thread);
        CHECK(ready->next->next == &threads[3]->thread && ready->next->next->next == NULL);
        CHECK(!deblocked_has_some(&shared[0].deblocked));
    }
    for (unsigned i = 0; i < 4; i++) {
        threads[i]->thread.context = NULL;
        pooled_block_put(&threads[i]->thread);
    }
}

// Takes the next thread as the dispatcher does when the current one has blocked.
static struct placed_thread* next_after_block(void) {
    struct next next = strategy_next(NULL, NULL);
    if (next.thread == NULL) return NULL;
    CHECK(shared[0].running == next.thread);
    if (is_new(next.thread)) {
        CHECK(next.stack != NULL);
        next.thread->context = next.stack;  // so that it is no longer new
    }
    return placed(next.thread);
}

static void finish(struct placed_thread* thread) {
    struct stack* stack = thread->thread.context;
    thread->thread.context = NULL;
    pooled_block_put(&thread->thread);
    pooled_stack_put(stack);
    shared[0].running = NULL;
}

// A processor first takes runnable threads, then startable ones from near to far.
static void check_order(void) {
    thread_create_at(function, (void*)1, THREAD_ANYWHERE);
    thread_create_at(function, (void*)2, thread_on_node(0));
    thread_create_at(function, (void*)3, thread_on_processor(0));
    struct placed_thread* third = next_after_block();
    CHECK(third->thread.argument == (void*)3);
    struct placed_thread* second = next_after_block();
    CHECK(second->thread.argument == (void*)2);
    strategy_ready(&third->thread);
    CHECK(next_after_block() == third);
    // After a yield: the startable one, for which it may be waiting; then it.
    strategy_ready(&third->thread);
    CHECK(shared[0].running == NULL && third->yielded);
    struct placed_thread* first = next_after_block();
    CHECK(first->thread.argument == (void*)1);
    CHECK(next_after_block() == third && !third->yielded);
    CHECK(next_after_block() == NULL);
    // All have stopped here: second, first, third. The last is the highest (vtime.h).
    strategy_ready(&first->thread);
    strategy_ready(&third->thread);
    strategy_ready(&second->thread);
    CHECK(next_after_block() == third);
    CHECK(next_after_block() == first);
    CHECK(next_after_block() == second);
    CHECK(next_after_block() == NULL);
    finish(first);
    finish(second);
    finish(third);
}

// Two threads that wake each other are always higher than a third. It runs nevertheless.
static void check_fairness(void) {
    struct placed_thread* threads[3];
    for (unsigned i = 0; i < 3; i++) {
        thread_create_at(function, NULL, thread_on_processor(0));
        threads[i] = next_after_block();
    }
    CHECK(next_after_block() == NULL);
    own()->turns = FAIR_TURNS;
    for (unsigned i = 0; i < 3; i++) strategy_ready(&threads[i]->thread);
    unsigned turns = 1;
    for (struct placed_thread* thread; (thread = next_after_block()) != threads[0]; turns++) {
        stopped(&shared[0]);
        strategy_ready(&thread->thread);
    }
    CHECK_EQUAL(turns, FAIR_TURNS);
    CHECK(next_after_block() != NULL && next_after_block() != NULL);
    stopped(&shared[0]);
    for (unsigned i = 0; i < 3; i++) finish(threads[i]);
}

// What is left for others is found at the end of the run, wherever it is.
static void check_end(void) {
    thread_create_at(function, NULL, thread_on_processor(1));
    struct placed_thread* thread = placed(created_in(&shared[1].startable));
    pooled_block_put(&thread->thread);
    thread_create_at(function, NULL, thread_on_processor(1));
    CHECK(next_after_block() == NULL);
    threads_stopping = true;
    thread = next_after_block();
    CHECK(thread != NULL && thread->place == 0);
    stopped(&shared[0]);
    thread->place = 1;
    strategy_ready(&thread->thread);  // to a processor that no longer looks
    CHECK(next_after_block() == thread);
    CHECK(next_after_block() == NULL);
    finish(thread);
    threads_stopping = false;
}

int main(void) {
    processor_setup(0, &thread_processors[0].processor, sizeof thread_processors[0]);
    strategy_setup(processors());
    check_places();
    check_ready_all();
    CHECK(next_after_block() == NULL);
    check_order();
    check_fairness();
    check_end();
    all_is_free();
    return 0;
}
