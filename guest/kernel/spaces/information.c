// SPDX-License-Identifier: MIT

// What the kernel says about spaces, in a page that all of them read and none of them writes.

#include "spaces.h"
#include "string.h"

static union {
    struct {
        struct space_info of[MAX_SPACES];
        LINE_ALIGNED volatile unsigned absent;  // a bit a space, set if it has no processor
        struct processor_info on[MAX_PROCESSORS];
    };
    char page[PAGE_BYTES];
} information __attribute__((aligned(4096)));
_Static_assert(sizeof information == PAGE_BYTES, "all of it is mapped");

static struct spinlock information_lock;

const struct space_info* information_of(int space) {
    return &information.of[space];
}

struct processor_info* information_on(unsigned processor) {
    return &information.on[processor];
}

void setup_information(void) {
    for (unsigned i = 0; i < user_spaces_number; i++) {
        char* name = information.of[i].name;
        strncpy(name, user_spaces[i].image->name, SPACE_NAME_BYTES - 1);
        information.absent |= 1u << i;
    }
}

const volatile unsigned* information_absent(void) {
    return &information.absent;
}

// Time in ticks of all processors: to read the clock at each move would cost too much. It does not
// matter if one is lost.
static struct { LINE_ALIGNED volatile unsigned all; } ticks;
static unsigned left[MAX_SPACES];  // when its last processor left it

void information_tick(void) {
    ticks.all++;
}

// A space that never had one has waited for ever.
unsigned information_absent_ticks(int space) {
    return information.of[space].state == SPACE_NEW ? -1u : ticks.all - left[space];
}

static void count_processors(const struct user_space* space, unsigned processors) {
    if (processors == 0) left[space->number] = ticks.all;
    information.of[space->number].processors = processors;
    const unsigned bit = 1u << space->number;
    const unsigned absent = processors == 0 ? information.absent | bit : information.absent & ~bit;
    if (information.absent != absent) information.absent = absent;  // all processors read it
}

void information_moved(const struct user_space* from, struct user_space* to) {
    spinlock_acquire(&information_lock);
    if (from != NULL) count_processors(from, information.of[from->number].processors - 1);
    count_processors(to, information.of[to->number].processors + 1);
    if (information.of[to->number].state == SPACE_NEW)
        information.of[to->number].state = SPACE_RUNS;
    spinlock_release(&information_lock);
}

void information_preempted(const struct user_space* space) {
    spinlock_acquire(&information_lock);
    information.of[space->number].preemptions++;
    spinlock_release(&information_lock);
}

void information_ended(const struct user_space* space) {
    spinlock_acquire(&information_lock);
    information.of[space->number].state = SPACE_ENDED;
    for (unsigned i = 0; i < user_spaces_number; i++) information.of[i].asked++;
    spinlock_release(&information_lock);
}

void information_asked(const struct user_space* space) {
    spinlock_acquire(&information_lock);
    information.of[space->number].asked++;
    spinlock_release(&information_lock);
}
