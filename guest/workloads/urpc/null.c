// SPDX-License-Identifier: MIT

// What calls between address spaces cost. Arguments: calls (1000), warm_up (50), words (0) of
// argument and result.
//
//   call_ns            a call of the server's procedure, from its begin to the next call's
//   procedure_call_ns  a call of a C procedure in the same space
//   system_call_ns     a system call that does nothing

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "space.h"
#include "symsim.h"
#include "threads.h"
#include "urpc.h"

static unsigned calls, warm_up, words;
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

int main(void) {
    calls = arg_unsigned("calls", 1000);
    warm_up = arg_unsigned("warm_up", 50);
    words = arg_unsigned("words", 0);
    if (calls == 0 || words > URPC_WORDS)
        panic("arguments calls, words: %u and %u; at least 1, at most %u", calls, words, URPC_WORDS);
    channel = urpc_bind(space_named("server"));
    if (channel == NULL) panic("there is no server");
    report("call_ns", mean_ns(call_server, calls));
    report("procedure_call_ns", mean_ns(call_procedure, calls));
    report("system_call_ns", mean_ns(call_kernel, calls));
    return 0;
}
