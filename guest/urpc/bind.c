// SPDX-License-Identifier: MIT

// How client and server come to share the memory of a channel. The kernel knows the channel by the
// server's number. Who has asked first learns from `asked` that the other one has (space.h).

#include "idle.h"
#include "symsim.h"
#include "threads/lists.h"

#define END_INIT \
    { .lock = URPC_END_LOCK_INIT }
struct urpc_channel urpc_channels[MAX_SPACES] = {
    [0 ... MAX_SPACES - 1] = {.calls = END_INIT, .answers = END_INIT, .lock = LOCK_INIT}};
struct urpc_service urpc_services[MAX_SPACES] = {
    [0 ... MAX_SPACES - 1] = {.calls = END_INIT, .answers = END_INIT}};
#ifdef URPC_END_LOCK_WAITS
struct lock_slot urpc_end_slots[MAX_PROCESSORS];
#endif

static struct {
    LINE_ALIGNED volatile unsigned char taken;
    unsigned ends;  // how many are mapped
} mapping;

static void poll(struct urpc_end* end, URPC_CALL void (*receive)(struct urpc_end*)) {
    struct urpc_receiver* receiver = &urpc_idle.receivers[mapping.ends++];
    receiver->receive = receive;
    compiler_barrier();
    receiver->end = end;
}

void urpc_wake_waiters(struct urpc_channel* channel) {
    lock_acquire(&channel->lock, thread_lock_slot());
    struct thread_queue waiters = channel->waiters;
    channel->waiters.head = NULL;
    channel->waited_for = false;
    lock_release(&channel->lock, thread_lock_slot());
    for (struct thread* thread; (thread = queue_take(&waiters)) != NULL;) thread_signal(thread);
}

static void map_channel(struct urpc_channel* channel) {
    void* memory;
    switch (space_share(channel->server, (unsigned)channel->server, URPC_PAGES, &memory)) {
        case SHARE_MAPPED:
            channel->calls.slots = ((struct urpc_shared*)memory)->calls;
            channel->answers.slots = ((struct urpc_shared*)memory)->answers;
            channel->mapped = true;
            poll(&channel->answers, urpc_receive_answer);
            break;
        case SHARE_ASKED:
            return;
        default:
            channel->failed = true;
    }
    urpc_wake_waiters(channel);
}

static void map_service(struct urpc_service* service) {
    void* memory;
    if (space_share(service->client, (unsigned)space_self(), URPC_PAGES, &memory) != SHARE_MAPPED)
        return;
    service->calls.slots = ((struct urpc_shared*)memory)->calls;
    service->answers.slots = ((struct urpc_shared*)memory)->answers;
    for (unsigned i = 0; i < URPC_SLOTS; i++) service->work[i].service = service;
    service->mapped = true;
    poll(&service->calls, urpc_receive_call);
}

static void map_all(void) {
    for (int i = 0; i < (int)spaces(); i++) {
        struct urpc_channel* channel = &urpc_channels[i];
        struct urpc_service* service = &urpc_services[i];
        if (channel->used && !channel->mapped && !channel->failed) map_channel(channel);
        if (service->used && !service->mapped) {
            service->client = i;
            service->info = space_info(i);
            map_service(service);
        }
    }
}

// If another processor is at it, it may have passed this space's latest wish: then somebody asks
// again.
void urpc_map_channels(void) {
    if (exchange_byte(&mapping.taken, 1) != 0) {
        urpc_idle.asked = space_given.self->asked - 1;
        return;
    }
    urpc_idle.asked = space_given.self->asked;
    map_all();
    mapping.taken = 0;
}

static void wait_until_mapped(struct urpc_channel* channel) {
    lock_acquire(&channel->lock, thread_lock_slot());
    if (channel->mapped || channel->failed) {
        lock_release(&channel->lock, thread_lock_slot());
        return;
    }
    queue_put(&channel->waiters, thread_self());
    thread_block(&channel->lock);
}

static struct urpc_channel* channel_to(int server) {
    if (space_info(server) == NULL || server == space_self()) return NULL;
    struct urpc_channel* channel = &urpc_channels[server];
    urpc_loaded = arg_unsigned("urpc_loaded", 1) != 0;
    channel->server = server;
    channel->info = space_info(server);
    channel->used = true;
    return channel;
}

// The first round asks for the memory: `asked` cannot have changed without it.
struct urpc_channel* urpc_bind(int server) {
    struct urpc_channel* channel = channel_to(server);
    if (channel == NULL) return NULL;
    while (!channel->mapped && !channel->failed) {
        urpc_map_channels();
        wait_until_mapped(channel);
    }
    return channel->failed ? NULL : channel;
}

struct urpc_channel* urpc_bind_for(int server, unsigned timeout_us) {
    struct urpc_channel* channel = channel_to(server);
    if (channel == NULL) return NULL;
    struct urpc_timer timer;
    urpc_timer_set(&timer, channel, NULL, timeout_us);
    urpc_map_channels();
    while (!channel->mapped && !channel->failed && !urpc_timer_passed(&timer)) {
        wait_until_mapped(channel);
        urpc_map_channels();
    }
    urpc_timer_drop(&timer);
    return channel->mapped && !channel->failed ? channel : NULL;
}
