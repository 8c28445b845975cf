// SPDX-License-Identifier: MIT

// A client that is hostile to its server, in the way that ATTACK says, until the server's other
// client, the victim, has ended.

#include "hostile.h"
#include "test.h"

#define GARBAGE 1    // any words in the slots of calls, and answers that nobody has sent
#define REWRITE 2    // valid calls, in which it changes each word while the server reads them
#define FLOOD 3      // all slots full, and no answer read
#define THOUSANDS 4  // calls from many threads
#define DIES 5       // ends in the middle of calls, with the locks of its ends taken
#define LOCKS 6      // sends calls, takes the locks of its ends for ever, and reads no answer
#define FORGES 7     // asks for the victim's channel

static struct urpc_channel* channel;
static int server, victim;

static void fill(unsigned slot, unsigned number) {
    struct urpc_message* message = &channel->calls.slots[slot];
    message->procedure = 0;
    message->words = URPC_WORDS;
    compiler_barrier();
    message->number = number;
}

static void garbage(void) {
    for (unsigned i = 0; continues(victim); i++) {
        scribble(&channel->calls.slots[i % URPC_SLOTS]);
        if (i % 4 == 0) scribble(&channel->answers.slots[any() % URPC_SLOTS]);
        if (i % 64 == 0) thread_yield();
    }
}

static void rewrite(void) {
    for (unsigned i = 0; continues(victim); i++) {
        const unsigned slot = i % URPC_SLOTS;
        fill(slot, 2 * i + 1);
        for (unsigned turn = 0; turn < 20; turn++) {
            struct urpc_message* message = &channel->calls.slots[slot];
            message->words = turn % 2 ? URPC_WORDS : 0x7fffffff;
            message->data[turn % URPC_WORDS] = any();
            message->procedure = turn % 3;
        }
    }
}

static void flood(void) {
    for (unsigned i = 0; continues(victim); i++) {
        if (channel->calls.slots[i % URPC_SLOTS].number == 0) fill(i % URPC_SLOTS, 2 * i + 1);
        if (i % 64 == 0) thread_yield();
    }
}

static void call_on(void* unused) {
    (void)unused;
    unsigned result;
    while (continues(victim)) urpc_call(channel, 0, NULL, 0, &result, 1);
}

static void thousands(void) {
    for (unsigned i = 0; i < 2 * URPC_SLOTS; i++) thread_create(call_on, NULL);
    call_on(NULL);
}

static void lock_ends(void) {
    for (unsigned i = 0; i < URPC_SLOTS; i++) fill(i, 2 * i + 1);
    while (!urpc_end_lock_try(&channel->calls.lock)) continue;
    while (!urpc_end_lock_try(&channel->answers.lock)) continue;
}

static void hold_locks(void) {
    lock_ends();
    while (continues(victim)) continue;
}

// With the number of any other space, and of any channel.
static void forge(void) {
    for (unsigned i = 0; continues(victim); i++) {
        const int other = (int)(i % spaces());
        void* memory = NULL;
        if (space_share(other, i / spaces() % 5, URPC_PAGES, &memory) == SHARE_MAPPED)
            CHECK(other == server && memory == (void*)channel->calls.slots);
        if (i % 64 == 0) thread_yield();
    }
}

int main(void) {
    server = space_named("server");
    victim = space_named("victim");
    channel = urpc_bind(server);
    CHECK(channel != NULL);
    switch (ATTACK) {
        case GARBAGE:
            garbage();
            break;
        case REWRITE:
            rewrite();
            break;
        case FLOOD:
            flood();
            break;
        case THOUSANDS:
            thousands();
            break;
        case DIES:
            lock_ends();
            break;
        case LOCKS:
            hold_locks();
            break;
        default:
            forge();
    }
    return 0;
}
