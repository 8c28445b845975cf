// SPDX-License-Identifier: MIT

// Null calls by several threads at once: the measurement of URPC section 4.3, Figures 3 and 4.
// Arguments: threads (1), calls (1000) by each of them, warm_up (20) calls by each before.
//
//   call_ns     latency: mean time from the begin of a call to its return, in one thread
//   elapsed_us  from the begin of the first timed call to the end of the last one
//
// With several clients these are call_ns_NAME and elapsed_us_NAME of each.

#include "space.h"
#include "stdio.h"
#include "symsim.h"
#include "threads.h"
#include "urpc.h"

#define THREADS_MOST 64

static unsigned threads, calls, warm_up;
static struct urpc_channel* channel;
static struct thread_barrier warm;

static struct caller {
    struct thread_task task;
    uint32_t begin, end;
} callers[THREADS_MOST];

static void call(unsigned number) {
    for (; number > 0; number--)
        if (urpc_call(channel, 0, NULL, 0, NULL, 0) != 0) panic("a call has failed");
}

static void run(void* argument) {
    struct caller* caller = argument;
    call(warm_up);
    thread_barrier_wait(&warm);
    caller->begin = clock_us();
    call(calls);
    caller->end = clock_us();
}

#define NAME_MOST (sizeof "elapsed_us_" + SPACE_NAME_BYTES)

static void report_as(const char* name, uint64_t value) {
    char of_client[NAME_MOST];
    snprintf(of_client, sizeof of_client, "%s_%s", name, space_info(space_self())->name);
    report(spaces() == 2 ? name : of_client, value);
}

static void report_times(void) {
    uint32_t first = callers[0].begin, last = callers[0].end;
    uint64_t all = 0;
    for (struct caller* caller = callers; caller < callers + threads; caller++) {
        if (caller->begin < first) first = caller->begin;
        if (caller->end > last) last = caller->end;
        all += caller->end - caller->begin;
    }
    report_as("call_ns", all * 1000 / threads / calls);
    report_as("elapsed_us", last - first);
}

int main(void) {
    threads = arg_unsigned("threads", 1);
    calls = arg_unsigned("calls", 1000);
    warm_up = arg_unsigned("warm_up", 20);
    if (threads == 0 || threads > THREADS_MOST || calls == 0)
        panic("arguments threads and calls: %u, %u; 1 to %u threads, at least 1 call", threads,
              calls, THREADS_MOST);
    channel = urpc_bind(space_named("server"));
    if (channel == NULL) panic("there is no server");
    warm = (struct thread_barrier)THREAD_BARRIER_INIT(threads);
    for (unsigned i = 0; i < threads; i++) thread_fork(&callers[i].task, run, &callers[i]);
    for (unsigned i = 0; i < threads; i++) thread_join(&callers[i].task);
    report_times();
    return 0;
}
