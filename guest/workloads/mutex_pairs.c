// SPDX-License-Identifier: MIT

// Threads that synchronise in couples (Steckermeier & Bellosa 1995, section 7.2.1, Figure 15,
// claims MTH-07 to MTH-12). The two of a couple take turns: each has a mutex, which the other
// unlocks. So each lock waits for the partner, and the processor switches to another thread. There
// has no work between two locks.
//
// Where the strategy has places for threads (thread_place.h), each processor has its share of the
// couples, and sets up their mutexes, so that these are near to it. The first of a couple creates
// the second one with itself. Each share begins by a barrier of its own: one for all threads would
// wake them one by one, which takes longer than what is measured.
//
// Arguments  threads      an even number; default 64, the paper's is 4096
//            turns        locks of each thread; default 50
//            apart        1: the second of a couple belongs to a processor half a machine away;
//                         default 0
//            strategy, affinity     if given, must be what this image is built with
// Results    elapsed_us   from the moment when all threads have started until all are done
//            locks        acquired, by all threads together
//            locks_per_second
// Checks     each couple has taken all its turns, strictly one after the other

#include "cpu.h"
#include "image_argument.h"
#include "stdlib.h"
#include "thread_place.h"
#include "threads.h"
#include "workload.h"

#ifdef MUTEX_SPINS
#include "threads/spin_mutex.h"
#define MUTEX thread_spin_mutex
#define MUTEX_INIT THREAD_SPIN_MUTEX_INIT
#define mutex_lock thread_spin_mutex_lock
#define mutex_unlock thread_spin_mutex_unlock
#else
#define MUTEX thread_mutex
#define MUTEX_INIT THREAD_MUTEX_INIT
#define mutex_lock thread_mutex_lock
#define mutex_unlock thread_mutex_unlock
#endif

struct couple {
    LINE_ALIGNED struct MUTEX mutex[2];
    volatile unsigned turns_taken;  // by both; the one whose turn it is writes it
    bool in_order;
};

static struct couple* couples;
static unsigned threads, turns;
static bool apart;
// The couples of one processor, neighbours in memory.
struct share {
    LINE_ALIGNED struct thread_semaphore come;  // posted by each of its threads
    struct thread_barrier begin, end;           // of its threads and the one that creates them
};

static struct share shares[MAX_PROCESSORS];
static struct thread_barrier meeting;  // of those who create the shares, and the first thread
static uint32_t start_us, elapsed_us;

static unsigned first_couple(unsigned cpu) {
    return cpu * (threads / 2) / processors();
}

static struct share* share_of(const struct couple* couple) {
    const unsigned number = couple - couples;
    unsigned cpu = 0;
    while (first_couple(cpu + 1) <= number) cpu++;
    return &shares[cpu];
}

static void take_turns(struct couple* couple, unsigned self) {
    struct share* share = share_of(couple);
    bool in_order = true;
    thread_semaphore_post(&share->come);
    thread_barrier_wait(&share->begin);
    for (unsigned i = 0; i < turns; i++) {
        mutex_lock(&couple->mutex[self]);
        const unsigned taken = couple->turns_taken;
        if (taken != 2 * i + self) in_order = false;
        couple->turns_taken = taken + 1;
        mutex_unlock(&couple->mutex[1 - self]);
    }
    if (!in_order) couple->in_order = false;
    thread_barrier_wait(&share->end);
}

static void second(void* couple) {
    take_turns(couple, 1);
}

// Half a machine away from the couple's share.
static thread_place far_place(const struct couple* couple) {
    const unsigned cpu = share_of(couple) - shares;
    return thread_on_processor((cpu + processors() / 2) % processors());
}

static void first(void* couple) {
    if (apart)
        thread_create_at(second, couple, far_place(couple));
    else
        thread_create_with(second, couple, thread_self());
    take_turns(couple, 0);
}

static void set_up(struct couple* couple) {
    *couple = (struct couple){.mutex = {MUTEX_INIT, MUTEX_INIT}, .in_order = true};
    couple->mutex[1].held = true;  // the first of the couple has the first turn
}

static void create_share(void* argument) {
    const unsigned cpu = (unsigned)argument;
    struct share* share = &shares[cpu];
    const unsigned first_of_all = first_couple(cpu), end_of_all = first_couple(cpu + 1);
    const unsigned count = 2 * (end_of_all - first_of_all);
    share->come = (struct thread_semaphore)THREAD_SEMAPHORE_INIT(0);
    share->begin = share->end = (struct thread_barrier)THREAD_BARRIER_INIT(count + 1);
    for (unsigned i = first_of_all; i < end_of_all; i++) {
        set_up(&couples[i]);
        thread_create_at(first, &couples[i], thread_on_processor(cpu));
    }
    for (unsigned i = 0; i < count; i++) thread_semaphore_wait(&share->come);
    thread_barrier_wait(&meeting);
    thread_barrier_wait(&share->begin);
    thread_barrier_wait(&share->end);
    thread_barrier_wait(&meeting);
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        thread_create_at(create_share, (void*)cpu, thread_on_processor(cpu));
    thread_barrier_wait(&meeting);
    start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    thread_barrier_wait(&meeting);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    elapsed_us = board_clock_us() - start_us;
}

static void allocate_couples(void) {
    couples = malloc(threads / 2 * sizeof *couples + LINE_BYTES);
    if (couples == NULL) panic("no memory for %u threads", threads);
    couples = (struct couple*)(((uintptr_t)couples + LINE_BYTES - 1) & -(uintptr_t)LINE_BYTES);
}

static bool check(void) {
    for (unsigned i = 0; i < threads / 2; i++)
        if (couples[i].turns_taken != 2 * turns || !couples[i].in_order) {
            printf("couple %u took %u turns of %u%s\n", i, couples[i].turns_taken, 2 * turns,
                   couples[i].in_order ? "" : ", not in order");
            return false;
        }
    return true;
}

int main(void) {
    check_strategy_argument();
#ifdef SYMSIM_AFFINITY
    check_image_argument("affinity", SYMSIM_AFFINITY);
#endif
    threads = arg_unsigned("threads", 64);
    turns = arg_unsigned("turns", 50);
    apart = arg_unsigned("apart", 0) != 0;
    if (threads == 0 || threads % 2 != 0 || turns == 0)
        panic("threads must be an even number, and turns at least 1");
    allocate_couples();
    meeting = (struct thread_barrier)THREAD_BARRIER_INIT(processors() + 1);
    threads_run(first_thread, NULL);
    const uint64_t locks = (uint64_t)threads * turns;
    report("elapsed_us", elapsed_us);
    report("locks", locks);
    report("locks_per_second", locks * 1000000 / (elapsed_us != 0 ? elapsed_us : 1));
    return check() ? 0 : 1;
}
