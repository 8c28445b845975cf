// SPDX-License-Identifier: MIT

// Lends its processor, again and again, to a space that never gives it back. The kernel takes it
// after one to two quanta, and the other space continues where it was.

#include "space.h"
#include "spaces_keep.h"
#include "test.h"
#include "threads.h"

#define TURNS 6
#define QUANTUM_US 20000  // the default

static struct kept* kept;
static unsigned turns;
static uint32_t lent_at;
static struct thread_semaphore finished = THREAD_SEMAPHORE_INIT(0);

static void lend(void* unused) {
    (void)unused;
    lent_at = clock_us();
    processor_donate(KEEPER);
    panic("the thread of a donated processor runs on");
}

// Runs when the processor is back.
static void come_back(void* unused) {
    (void)unused;
    static unsigned count;
    CHECK_EQUAL(processor_reason(), UPCALL_TAKEN);
    CHECK(processor_given_by() == NO_SPACE);
    CHECK(clock_us() - lent_at < 2 * QUANTUM_US + 5000);
    CHECK(kept->count != count);
    count = kept->count;
    CHECK_EQUAL(kept->begun, 1);
    if (++turns == TURNS) {
        thread_semaphore_post(&finished);
        return;
    }
    thread_create(lend, NULL);
    thread_create(come_back, NULL);
}

int main(void) {
    void* memory;
    while (space_share(KEEPER, 0, 1, &memory) != SHARE_MAPPED) thread_yield();
    kept = memory;
    while (kept->begun == 0) thread_yield();
    thread_create(lend, NULL);
    thread_create(come_back, NULL);
    thread_semaphore_wait(&finished);
    CHECK(space_info(KEEPER)->preemptions + space_info(ACCOMPLICE)->preemptions >= TURNS);
    kept->done = true;
    report("turns", turns);
    return 0;
}
