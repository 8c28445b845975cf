// SPDX-License-Identifier: MIT

// The calls poll and select, with the widths of their times.

#include "poll.h"

#include "calls.h"
#include "string.h"

#define SET_WORDS (FILES_MOST / 32)

// One call. The files that it watches stay open until it returns.
struct call {
    struct poller poller;
    bool watching;  // all its files
    uintptr_t entries;
    uint32_t number;
    uint32_t wanted[3][SET_WORDS], found[3][SET_WORDS];  // select
};

static struct watch* watch(struct call* call, struct file* file, uint32_t events) {
    lock_watches();
    struct watch* watch = watch_add(&call->poller, file);
    if (watch != NULL) watch->events = events;
    unlock_watches();
    return watch;
}

// What the file with the number has of `events`; POLLNVAL; or an error.
static int look(struct call* call, uint32_t number, uint32_t events) {
    struct file* file = file_get(number);
    if (file == NULL) return POLLNVAL;
    const bool kept = !call->watching && watch(call, file, events) != NULL;
    const int found = kept || call->watching ? (int)file_events(file, events) : -ENOMEM;
    if (!kept) file_put(file);
    return found;
}

static int run(struct call* call, uint64_t at, int (*scan)(void* argument)) {
    const int result = poll_until(&call->poller, at, scan, call);
    while (call->poller.watches != NULL) {
        struct file* file = call->poller.watches->file;
        lock_watches();
        watch_remove(&call->poller.watches);
        unlock_watches();
        file_put(file);
    }
    mask_end(result);
    return result;
}

// ---- times ----

// When a call with the time at the address ends at the latest: 0, at once; NEVER, if there is none.
static int deadline(uintptr_t time, enum time_kind kind, uint64_t* at) {
    uint64_t us = 0;
    int error = 0;
    *at = NEVER;
    if (kind == MILLISECONDS ? (int)time < 0 : time == 0) return 0;
    if (kind == MILLISECONDS)
        us = (uint64_t)time * 1000;
    else
        error = read_time(time, kind, &us);
    *at = us == 0 || us == NEVER ? us : now_us() + us;
    return error;
}

// What is left of it goes where the time was, if the program lets it.
static void write_left(uintptr_t time, enum time_kind kind, uint64_t at) {
    if (kind == MILLISECONDS || time == 0) return;
    const uint64_t now = at != 0 ? now_us() : 0, left = at > now ? at - now : 0;
    write_time(time, kind, left);
}

// ---- poll ----

struct entry {
    int32_t number;
    uint16_t wanted, found;
};

static int scan_entries(void* argument) {
    struct call* call = argument;
    int ready = 0;
    for (uint32_t i = 0; i < call->number; i++) {
        struct entry entry;
        const uintptr_t at = call->entries + i * sizeof entry;
        if (copy_in(&entry, at, sizeof entry) != 0) return -EFAULT;
        const int found = entry.number >= 0 ? look(call, (uint32_t)entry.number, entry.wanted) : 0;
        if (found < 0) return found;
        if (found != 0) ready++;
        entry.found = (uint16_t)found;
        if (copy_out(at, &entry, sizeof entry) != 0) return -EFAULT;
    }
    call->watching = true;
    return ready;
}

static int poll(const struct trap_frame* frame, enum time_kind kind, uintptr_t mask,
                uint32_t bytes) {
    uint64_t at;
    struct call call = {.entries = frame->ebx, .number = frame->ecx};
    int result = deadline(frame->edx, kind, &at);
    if (!result && mask != 0) result = mask_begin(mask, bytes);
    if (!result && call.number > FILES_MOST) result = -EINVAL;
    if (result) return result;
    result = run(&call, at, scan_entries);
    write_left(frame->edx, kind, at);
    return result;
}

CALL(poll, poll(frame, MILLISECONDS, 0, 0))
CALL(ppoll, poll(frame, TIMESPEC, frame->esi, frame->edi))
CALL(ppoll64, poll(frame, TIMESPEC64, frame->esi, frame->edi))

// ---- select ----

// What each of the three sets asks for.
static const uint32_t set_events[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, 2};

static int scan_sets(void* argument) {
    struct call* call = argument;
    int ready = 0;
    memset(call->found, 0, sizeof call->found);
    for (uint32_t i = 0; i < call->number; i++) {
        uint32_t wanted = 0;
        for (unsigned set = 0; set < 3; set++)
            if (call->wanted[set][i / 32] >> i % 32 & 1) wanted |= set_events[set];
        const int found = wanted != 0 ? look(call, i, wanted) : 0;
        if (found < 0) return found;
        if (found & POLLNVAL) return -EBADF;
        for (unsigned set = 0; set < 3; set++) {
            if (!(call->wanted[set][i / 32] >> i % 32 & 1) || !(found & set_events[set])) continue;
            call->found[set][i / 32] |= 1u << i % 32;
            ready++;
        }
    }
    call->watching = true;
    return ready;
}

static int select(const uint32_t arguments[5], enum time_kind kind, uintptr_t mask,
                  uint32_t bytes) {
    uint64_t at;
    struct call call = {.number = arguments[0] < FILES_MOST ? arguments[0] : FILES_MOST};
    const uint32_t set_bytes = (call.number + 31) / 32 * 4;
    int result = deadline(arguments[4], kind, &at);
    if (!result && mask != 0) result = mask_begin(mask, bytes);
    if (!result && (int)arguments[0] < 0) result = -EINVAL;
    for (unsigned set = 0; set < 3 && !result; set++)
        if (arguments[set + 1] != 0)
            result = copy_in(call.wanted[set], arguments[set + 1], set_bytes);
    if (result) return result;
    result = run(&call, at, scan_sets);
    write_left(arguments[4], kind, at);
    for (unsigned set = 0; set < 3 && result >= 0; set++)
        if (arguments[set + 1] != 0 &&
            copy_out(arguments[set + 1], call.found[set], set_bytes) != 0)
            result = -EFAULT;
    return result;
}

int call_select(struct trap_frame* frame) {
    const uint32_t arguments[5] = {frame->ebx, frame->ecx, frame->edx, frame->esi, frame->edi};
    return select(arguments, TIMEVAL, 0, 0);
}

int call_old_select(struct trap_frame* frame) {
    uint32_t arguments[5];
    if (copy_in(arguments, frame->ebx, sizeof arguments) != 0) return -EFAULT;
    return select(arguments, TIMEVAL, 0, 0);
}

static int pselect(const struct trap_frame* frame, enum time_kind kind) {
    const uint32_t arguments[5] = {frame->ebx, frame->ecx, frame->edx, frame->esi, frame->edi};
    uint32_t mask[2] = {0, 0};
    if (frame->ebp != 0 && copy_in(mask, frame->ebp, sizeof mask) != 0) return -EFAULT;
    return select(arguments, kind, mask[0], mask[1]);
}

CALL(pselect, pselect(frame, TIMESPEC))
CALL(pselect64, pselect(frame, TIMESPEC64))
