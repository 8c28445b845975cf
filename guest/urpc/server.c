// SPDX-License-Identifier: MIT

// The server's side: receive a call, run it in a thread, send the answer.

#include "channel.h"
#include "probes.h"
#include "symsim.h"

static struct {
    urpc_procedure* const* procedures;
    unsigned number;
} served;

// False if another processor is sending. There is always a slot for an answer, unless the client
// does not receive any: then this one is lost.
static THREADS_FUNCTION bool answer(struct urpc_work* work, const unsigned* result, int words) {
    struct urpc_end* end = &work->service->answers;
    if (!urpc_end_lock_try(&end->lock)) return false;
    struct urpc_message* message = urpc_slot(end);
    if (message->number == 0) {
        message->words = words;
        for (int i = 0; i < words; i++) message->data[i] = result[i];
        compiler_barrier();
        message->number = work->number;  // ordering.h rule 2
    }
    end->count++;
    urpc_end_lock_leave(&end->lock);
    PROBE(PROBE_CALL_ANSWERED, message);
    return true;
}

static void serve_call(void* argument) {
    struct urpc_work* work = argument;
    unsigned result[URPC_WORDS];
    int words = URPC_FAILED;
    PROBE(PROBE_CALL_SERVED, work);
    if (work->procedure < served.number && work->words >= 0 && work->words <= URPC_WORDS)
        words = served.procedures[work->procedure](work->data, (unsigned)work->words, result);
    PROBE(PROBE_CALL_ANSWER, work);
    if (words > URPC_WORDS) panic("procedure %u: a result of %d words", work->procedure, words);
    if (words < 0) words = URPC_FAILED;
    while (!answer(work, result, words)) thread_yield();
    compiler_barrier();
    work->number = 0;
}

// What is in the message is read once.
static inline void copy_call(struct urpc_work* work, const struct urpc_message* message) {
    const int words = message->words;
    work->words = words;
    work->procedure = message->procedure;
    for (int i = 0; i < words && i < URPC_WORDS; i++) work->data[i] = message->data[i];
}

// A client with more calls than slots waits: its next call stays in the queue.
THREADS_FUNCTION URPC_CALL void urpc_receive_call(struct urpc_end* end) {
    struct urpc_service* service =
        (struct urpc_service*)((char*)end - offsetof(struct urpc_service, calls));
    if (!urpc_end_lock_try(&end->lock)) return;
    const unsigned count = end->count;
    struct urpc_message* message = &end->slots[count % URPC_SLOTS];
    struct urpc_work* work = &service->work[count % URPC_SLOTS];
    const unsigned number = message->number;
    if (number == 0 || work->number != 0) {
        urpc_end_lock_leave(&end->lock);
        return;
    }
    PROBE(PROBE_CALL_RECEIVED, message);
    copy_call(work, message);
    work->number = number;
    message->number = 0;
    end->count = count + 1;
    urpc_end_lock_leave(&end->lock);
    PROBE(PROBE_CALL_DISPATCH, work);
    thread_create(serve_call, work);
}

_Noreturn void urpc_serve(urpc_procedure* const* procedures, unsigned number) {
    static struct lock lock = LOCK_INIT;
    if (number > URPC_PROCEDURES_MOST) panic("urpc_serve: %u procedures", number);
    served.procedures = procedures;
    served.number = number;
    space_serves();
    for (unsigned i = 0; i < spaces(); i++) urpc_services[i].used = (int)i != space_self();
    urpc_map_channels();
    for (;;) {
        lock_acquire(&lock, thread_lock_slot());
        thread_block(&lock);
    }
}
