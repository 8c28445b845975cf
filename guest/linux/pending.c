// SPDX-License-Identifier: MIT

// The signals that wait for a thread or a process, in the order in which they came.

#include "thread.h"

#define QUEUED_MOST 256  // in one list

struct queued {
    struct link link;
    struct signal_information information;
};
static struct pool pool;

// A timer has one signal pending at most, which counts how often the timer was over since.
static bool counts(const struct pending* pending, const struct signal_information* information) {
    for (struct link* link = pending->list.first; link != NULL; link = link->next) {
        struct signal_information* there = &((struct queued*)link)->information;
        if (there->code != SI_TIMER || there->value[0] != information->value[0]) continue;
        there->value[1] += 1 + information->value[1];
        return true;
    }
    return false;
}

// Without memory a signal comes without its value.
int pending_add(struct pending* pending, const struct signal_information* information) {
    const int signal = information->signal;
    if (information->code == SI_TIMER && counts(pending, information)) return 0;
    if (signal < SIGNAL_QUEUED && (pending->set & signal_bit(signal))) return 0;
    struct queued* queued = pending->count < QUEUED_MOST ? pool_take(&pool, sizeof *queued) : NULL;
    pending->set |= signal_bit(signal);
    if (queued == NULL) return signal < SIGNAL_QUEUED ? 0 : -EAGAIN;
    queued->information = *information;
    list_put(&pending->list, &queued->link);
    pending->count++;
    return 0;
}

static struct link* find(struct link* link, int signal) {
    while (link != NULL && ((struct queued*)link)->information.signal != signal) link = link->next;
    return link;
}

// The lowest one of the set, of these the first.
bool pending_take(struct pending* pending, uint64_t set, struct signal_information* taken) {
    set &= pending->set;
    if (set == 0) return false;
    const int signal = lowest_signal(set);
    struct link *before = NULL, *link = find(pending->list.first, signal);
    if (link == NULL || find(link->next, signal) == NULL) pending->set &= ~signal_bit(signal);
    *taken = (struct signal_information){.signal = signal};
    if (link == NULL) return true;
    for (struct link* at = pending->list.first; at != link; at = at->next) before = at;
    list_take_after(&pending->list, before, link);
    *taken = ((struct queued*)link)->information;
    pool_give(&pool, link);
    pending->count--;
    return true;
}

void signals_drop(struct pending* pending, uint64_t set) {
    struct signal_information dropped;
    while (pending_take(pending, set, &dropped)) {
    }
}
