// SPDX-License-Identifier: MIT

// The server's side: receive a call, run it in a thread, send the answer.

#include "channel.h"
#include "symsim.h"

static struct {
    urpc_procedure* const* procedures;
    unsigned number;
} served;

// False if another processor is sending. There is always a slot for an answer, unless the client
// does not receive any: then this one is lost.
static THREADS_FUNCTION bool answer(struct urpc_work* work, const unsigned* result, int words) {
    struct urpc_service* service = work->service;
    struct urpc_end* end = &service->answers;
    if (!urpc_end_try(end)) return false;
    struct urpc_message* message = urpc_slot(end);
    if (!message->full) {
        message->ticket = work->ticket;
        message->what = words < 0 ? URPC_FAILED : 0;
        message->words = words < 0 ? 0 : (unsigned)words;
        for (int i = 0; i < words; i++) message->data[i] = result[i];
        compiler_barrier();
        message->full = 1;  // ordering.h rule 2
        urpc_advance(end);
    }
    service->answered++;
    urpc_end_leave(end);
    return true;
}

static void serve_call(void* argument) {
    struct urpc_work* work = argument;
    unsigned result[URPC_WORDS];
    int words = URPC_FAILED;
    if (work->procedure >= 0 && (unsigned)work->procedure < served.number &&
        work->words <= URPC_WORDS)
        words = served.procedures[work->procedure](work->data, work->words, result);
    if (words > URPC_WORDS) panic("procedure %d: a result of %d words", work->procedure, words);
    while (!answer(work, result, words)) thread_yield();
    compiler_barrier();
    work->busy = false;
}

static void copy_call(struct urpc_work* work, const struct urpc_message* message) {
    const unsigned words = message->words;
    work->ticket = message->ticket;
    work->procedure = message->what;
    work->words = words;
    for (unsigned i = 0; i < words && i < URPC_WORDS; i++) work->data[i] = message->data[i];
}

// A client with more calls than slots waits: its next call stays in the queue.
THREADS_FUNCTION bool urpc_poll_calls(struct urpc_service* service) {
    struct urpc_end* end = &service->calls;
    if (!urpc_end_try(end)) return false;
    struct urpc_message* message = urpc_slot(end);
    struct urpc_work* work = &service->work[end->next];
    if (!message->full || work->busy) {
        urpc_end_leave(end);
        return false;
    }
    copy_call(work, message);
    work->service = service;
    work->busy = true;
    compiler_barrier();
    message->full = 0;
    urpc_advance(end);
    service->received++;
    urpc_end_leave(end);
    thread_create(serve_call, work);
    return true;
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
