// SPDX-License-Identifier: MIT

// What the kernel says about spaces, in a page that all of them read and none of them writes.

#include "kernel.h"
#include "string.h"

static union {
    struct space_info of[MAX_SPACES];
    char page[PAGE_BYTES];
} information __attribute__((aligned(4096)));

static struct spinlock changes;

const struct space_info* information_of(int space) {
    return &information.of[space];
}

void information_setup(void) {
    for (unsigned i = 0; i < user_spaces_number; i++) {
        char* name = information.of[i].name;
        strncpy(name, user_spaces[i].image->name, SPACE_NAME_BYTES - 1);
    }
}

void information_moved(const struct user_space* from, struct user_space* to) {
    spinlock_acquire(&changes);
    if (from != NULL) information.of[from->number].processors--;
    information.of[to->number].processors++;
    if (information.of[to->number].state == SPACE_NEW)
        information.of[to->number].state = SPACE_RUNS;
    spinlock_release(&changes);
}

void information_ended(const struct user_space* space) {
    spinlock_acquire(&changes);
    information.of[space->number].state = SPACE_ENDED;
    for (unsigned i = 0; i < user_spaces_number; i++) information.of[i].asked++;
    spinlock_release(&changes);
}

void information_asked(const struct user_space* space) {
    spinlock_acquire(&changes);
    information.of[space->number].asked++;
    spinlock_release(&changes);
}
