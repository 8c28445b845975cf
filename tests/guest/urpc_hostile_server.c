// SPDX-License-Identifier: MIT

// A server that is hostile to its client, the victim, in the way that ATTACK says.

#include "hostile.h"
#include "test.h"

#define GARBAGE 1    // any words in the slots of answers and calls
#define REWRITE 2    // answers, in which it changes each word while the client reads them
#define SILENT 3     // takes calls, and answers none
#define PROCEDURE 4  // a procedure that does not return
#define UPCALL 5     // no processor that comes gets beyond its upcall
#define EXITS 6      // ends in the middle of calls
#define FAULTS 7     // ends by a fault in a procedure, on the processor of its client

static int victim;

static void garbage(void) {
    struct urpc_shared* shared = share_with(victim, space_self());
    for (unsigned i = 0; continues(victim); i++) {
        scribble(&shared->answers[i % URPC_SLOTS]);
        if (i % 4 == 0) scribble(&shared->calls[any() % URPC_SLOTS]);
        if (i % 64 == 0) thread_yield();
    }
}

static void rewrite(void) {
    struct urpc_shared* shared = share_with(victim, space_self());
    for (unsigned i = 0; continues(victim); i++) {
        struct urpc_message* answer = &shared->answers[i % URPC_SLOTS];
        answer->words = 1;
        answer->number = 2 * i + 1;
        for (unsigned turn = 0; turn < 20; turn++) {
            answer->words = turn % 2 ? 1 : turn % 4 ? 0x7fffffff : -0x7fffffff;
            answer->data[turn % URPC_WORDS] = any();
        }
        shared->calls[i % URPC_SLOTS].number = 0;
    }
}

static void silent(void) {
    struct urpc_shared* shared = share_with(victim, space_self());
    for (unsigned i = 0; continues(victim); i++) {
        shared->calls[i % URPC_SLOTS].number = 0;
        if (i % 64 == 0) thread_yield();
    }
}

static int loop(const unsigned* argument, unsigned words, unsigned* result) {
    (void)argument, (void)words, (void)result;
    while (continues(victim)) continue;
    return 0;
}

static int end(const unsigned* argument, unsigned words, unsigned* result) {
    (void)argument, (void)words, (void)result;
    if (ATTACK == EXITS) exit(0);
    ((void (*)(void))0x100000)();
    return 0;
}

static void loop_thread(void* unused) {
    (void)unused;
    while (continues(victim)) continue;
}

static void never_idle(void) {
    for (unsigned i = 1; i < processors(); i++) thread_create(loop_thread, NULL);
    loop_thread(NULL);
}

int main(void) {
    static urpc_procedure* const loops[] = {loop};
    static urpc_procedure* const ends[] = {end};
    victim = space_named("victim");
    switch (ATTACK) {
        case GARBAGE:
            garbage();
            break;
        case REWRITE:
            rewrite();
            break;
        case SILENT:
            silent();
            break;
        case PROCEDURE:
            urpc_serve(loops, 1);
        case UPCALL:
            never_idle();
            break;
        default:
            urpc_serve(ends, 1);
    }
    return 0;
}
