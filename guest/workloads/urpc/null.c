// SPDX-License-Identifier: MIT

// What calls between address spaces cost. Arguments: calls (1000), warm_up (50), words (0) of
// argument and result.
//
//   call_ns            a call of the server's procedure, from its begin to the next call's
//   procedure_call_ns  a call of a C procedure in the same space
//   system_call_ns     a system call that does nothing
//   round_trip_ns      a processor to the server, which has nothing to do, and back, by two
//                      donations and upcalls; with a switch to the next thread

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "space.h"
#include "symsim.h"
#include "threads.h"
#include "urpc.h"

static unsigned calls, warm_up, words;
static int server;
static struct urpc_channel* channel;
static unsigned data[URPC_WORDS];

typedef void action(void);

static void call_server(void) {
    if (urpc_call(channel, words != 0, data, words, data, URPC_WORDS) != (int)words)
        panic("a call has failed");
}

static __attribute__((noinline, noclone)) void call_procedure(void) {
    __asm__ volatile("");
}

static void call_kernel(void) {
    system_call(CALL_NOTHING, 0, 0, 0);
}

static uint64_t mean_ns(action* act, unsigned number) {
    for (unsigned i = 0; i < warm_up; i++) act();
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < number; i++) act();
    return (uint64_t)(clock_us() - begin) * 1000 / number;
}

#define TRIPS 64  // each leaves a thread behind that does not run on
static uint32_t trip_begins, trip_ends;

// The processor comes back by an upcall, and runs the next of these threads.
static void make_trip(void* number) {
    if (number == NULL) trip_begins = clock_us();
    trip_ends = clock_us();
    processor_donate(server);
}

int main(void) {
    calls = arg_unsigned("calls", 1000);
    warm_up = arg_unsigned("warm_up", 50);
    words = arg_unsigned("words", 0);
    if (calls == 0 || words > URPC_WORDS)
        panic("arguments calls and words: %u, %u; at least 1, at most %u", calls, words,
              URPC_WORDS);
    server = space_named("server");
    channel = urpc_bind(server);
    if (channel == NULL) panic("there is no server");
    report("call_ns", mean_ns(call_server, calls));
    report("procedure_call_ns", mean_ns(call_procedure, calls));
    report("system_call_ns", mean_ns(call_kernel, calls));
    for (unsigned i = 0; i <= TRIPS; i++) thread_create(make_trip, (void*)i);
    thread_yield();  // until the last of them has been back
    report("round_trip_ns", (uint64_t)(trip_ends - trip_begins) * 1000 / TRIPS);
    return 0;
}
