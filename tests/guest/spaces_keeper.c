// SPDX-License-Identifier: MIT

// Never gives back what the lender lends; or, with MOVES, passes it to an accomplice and gets it
// back, so that no space has it for long.

#include "space.h"
#include "spaces_keep.h"
#include "symsim.h"
#include "threads.h"

#define HOLD_US 3000

static struct kept* kept;

static void keep(void) {
    while (!kept->done) kept->count++;
}

// The processor comes back by an upcall, and runs the next of these threads.
static void pass_on(void* unused) {
    (void)unused;
    const int other = space_self() == KEEPER ? ACCOMPLICE : KEEPER;
    if (space_info(LENDER)->state == SPACE_ENDED) exit(0);
    for (const uint32_t begin = clock_us(); clock_us() - begin < HOLD_US;)
        if (kept != NULL) kept->count++;
    thread_create(pass_on, NULL);
    processor_donate(other);
}

int main(void) {
    void* memory = NULL;
    if (space_self() == KEEPER) {
        while (space_share(LENDER, 0, 1, &memory) != SHARE_MAPPED) thread_yield();
        kept = memory;
        kept->begun++;
    }
    if (MOVES)
        pass_on(NULL);
    else if (kept != NULL)
        keep();
    return 0;
}
