// SPDX-License-Identifier: MIT

// Memory shared pairwise. Pages are mapped when both spaces have asked for them: nobody can push
// memory into another space, or get into a pair that does not name it.

#include "spaces.h"

#define ASKED_MOST 16  // by one space, so that none uses up the table
#define PAIRS_MOST (MAX_SPACES * ASKED_MOST)

static struct pair {
    int first, second;  // space numbers; `first` has asked first
    unsigned channel, pages;
    uintptr_t memory;  // 0: the second has not asked yet
} pairs[PAIRS_MOST];
static unsigned pairs_number;
static struct spinlock pairs_lock;

static struct pair* pair_of(int one, int other, unsigned channel) {
    for (struct pair* pair = pairs; pair < pairs + pairs_number; pair++)
        if (pair->channel == channel && ((pair->first == one && pair->second == other) ||
                                         (pair->first == other && pair->second == one)))
            return pair;
    return NULL;
}

static unsigned asked_by(int space) {
    unsigned asked = 0;
    for (unsigned i = 0; i < pairs_number; i++) asked += pairs[i].first == space;
    return asked;
}

static enum share ask_for_pages(struct user_space* self, struct user_space* other, unsigned channel,
                                unsigned number) {
    if (asked_by(self->number) == ASKED_MOST) return SHARE_REFUSED;
    pairs[pairs_number++] = (struct pair){self->number, other->number, channel, number, 0};
    information_asked(other);
    return SHARE_ASKED;
}

static enum share map_pair(struct pair* pair, struct user_space* self, struct user_space* other) {
    struct user_space* const both[] = {self, other};
    pair->memory = map_new(both, 2, pair->pages);
    if (pair->memory == 0) return SHARE_REFUSED;
    information_asked(other);
    return SHARE_MAPPED;
}

static enum share share_locked(struct user_space* self, struct user_space* other, unsigned channel,
                               unsigned number, uintptr_t* memory) {
    struct pair* pair = pair_of(self->number, other->number, channel);
    enum share result;
    if (pair == NULL)
        result = ask_for_pages(self, other, channel, number);
    else if (pair->pages != number)
        result = SHARE_REFUSED;
    else if (pair->memory != 0)
        result = SHARE_MAPPED;
    else if (pair->first == self->number)
        result = SHARE_ASKED;
    else
        result = map_pair(pair, self, other);
    *memory = result == SHARE_MAPPED ? pair->memory : 0;
    return result;
}

// The result for ring 3: an enum share, or the address.
uint32_t share_memory(struct user_space* self, int number, unsigned channel, unsigned count) {
    struct user_space* other = space_at(number);
    if (other == NULL || other == self || other->ended) return SHARE_REFUSED;
    if (count == 0 || count > SHARED_PAGES_MOST) return SHARE_REFUSED;
    uintptr_t memory;
    spinlock_acquire(&pairs_lock);
    const enum share result = share_locked(self, other, channel, count, &memory);
    spinlock_release(&pairs_lock);
    return result == SHARE_MAPPED ? memory : result;
}
