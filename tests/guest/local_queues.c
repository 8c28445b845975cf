// SPDX-License-Identifier: MIT

// The search of local ready queues passes over a queue whose lock is held. It does not report that
// there is no thread as long as it has passed over one (guest/threads/local_queues.h).

#include "threads/local_queues.h"

#include "cpu.h"
#include "test.h"

#define QUEUES 18
#define TOURS 100
#define EMPTY_LOOP_TENTHS_US 25
#define HELD_US 400  // several tours

static struct { struct processor processor; } own[MAX_PROCESSORS];
static struct { LINE_ALIGNED volatile bool held; } first;
static struct thread busy_thread, other_thread;

static void hold_first(unsigned cpu, void* unused) {
    (void)unused;
    processor_setup(cpu, &own[cpu].processor, sizeof own[cpu]);
    package_lock(&local_queues[0].lock);
    first.held = true;
    uint32_t start_us = clock_us();
    while (clock_us() - start_us < HELD_US) {
    }
    package_unlock(&local_queues[0].lock);
}

int main(void) {
    processor_setup(0, &own[0].processor, sizeof own[0]);
    local_queues_setup(QUEUES);
    bool passed_over = false;
    CHECK(local_tour(&local_queues[1], &passed_over) == NULL);
    CHECK(!passed_over);
    uint32_t start_us = clock_us();
    for (unsigned i = 0; i < TOURS; i++) local_tour(&local_queues[1], &passed_over);
    CHECK((clock_us() - start_us) * 10 >= TOURS * QUEUES * EMPTY_LOOP_TENTHS_US);

    queue_put(&local_queues[0].ready, &busy_thread);
    queue_put(&local_queues[2].ready, &other_thread);
    start_on(1, hold_first, NULL);
    while (!first.held) {
    }
    CHECK(local_tour(&local_queues[0], &passed_over) == &other_thread);
    CHECK(passed_over);
    passed_over = false;
    CHECK(local_tour(&local_queues[3], &passed_over) == NULL);
    CHECK(passed_over);
    CHECK(local_take_from(&local_queues[0]) == &busy_thread);
    CHECK(local_take_from(&local_queues[0]) == NULL);
    wait_for(1);
    return 0;
}
