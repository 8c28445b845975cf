// SPDX-License-Identifier: MIT

// Latency of thread management with n runnable threads, ALL Figure 3.4 (claims ALL-26 to ALL-31,
// ALL-35, ALL-38, ALL-79). Events are kept apart, so that no lock is contended: one thread, drawn
// at random of those that run, creates another, and finishes when that is over. All others that
// run loop in their caches.
//
// With n < P, a processor idles and starts the new thread, which runs on in place of its creator: n
// run when it is created. With n > P the new thread waits, and the processor of the one that
// finishes takes one that waits: n are there when it finishes. With n = P none waits but the new
// one: as with n = P + 1.
//
// Arguments   runnable  n, default the number of processors
//             events    all; default 500
//             warm      those at first that do not count; default 100
//             rest_us   if given, nothing happens for so long after the last of them, and then the
//                       run ends as it stands, before the last thread finishes
// Results     events
//             create_us, start_us, finish_us   with TIME_STAMPS only: sums over the events that
//                       count of the time in thread_create; n < P: from before it to the start of
//                       the new thread; n >= P: from finish to the next start
// Checks      as many threads have run as there were events and threads at first
//
// Without TIME_STAMPS stopwatches take these times (stopwatch.h), over all events. A run that ends
// after `warm` is, to its end, the same as one that goes on (with numbers of as many digits): taken
// off, it leaves those that count. From creation to start two processors are involved:
// `made` begins at the one, `started` at the other, and both end when the same microsecond begins.

#include "cpu.h"
#include "locks/turns.h"
#include "stopwatch.h"
#include "threads.h"
#include "workload.h"

// From one step of an event to the next: by then the others have seen the step, two misses each,
// and what it set off has ended.
#define APART_US 400
// An event comes up to this much later by chance: more than idle processors take for a tour of 18
// queues, so that they are anywhere.
#define PHASE_US 128
// And up to this many turns, several microseconds: anywhere between two ticks of the clock.
#define PHASE_TURNS 16

// What all that run look at. Written by the thread whose turn it is.
static struct {
    LINE_ALIGNED volatile unsigned turn;  // number of the event, from 1; written last
    volatile unsigned actor;              // of whom it is: runner 0 .. runners - 1
} events;

static struct {
    LINE_ALIGNED volatile uint32_t tick_us;  // when stopwatches stop
    volatile uint32_t started_us;            // the newest thread
} shared;

static struct { LINE_ALIGNED volatile unsigned value; } lives;

// Of each processor.
static struct {
    LINE_ALIGNED uint32_t finished_us;
    uint32_t create_us, start_us, finish_us;  // sums
    bool ended;
} own[MAX_PROCESSORS];

static unsigned runnable, runners, warm, last, rest_us;
static bool some_idle;  // n < P

static struct lock end_lock = LOCK_INIT;
static struct thread* waits_for_end;

#ifdef TIME_STAMPS
static const bool stamped = true;
#define STAMP() board_clock_us()
#define START(watch)
#define STOP(watch)
#else
static const bool stamped = false;
#define STAMP() 0
#define START(watch) STOPWATCH_START(watch)
#define STOP(watch) STOPWATCH_STOP(watch)
static struct stopwatch create_watch, made_watch, started_watch, finish_watch;
#endif

// One function for both ends of an interval, so that they see the tick equally late.
static __attribute__((noinline)) void wait_for_tick(void) {
    wait_until_us(shared.tick_us);
}

static __attribute__((noinline)) void wait_by_chance(uint32_t time_us, uint32_t phase_us) {
    time_us += random_below(phase_us);
    unsigned turns = 1 + random_below(PHASE_TURNS);
    wait_until_us(time_us);
    delay_turns(turns);
}

static void life(void* argument);

// What a thread is told at its creation, as its argument.
struct birth_note {
    unsigned turn;    // the event; 0: it is one of the first
    unsigned runner;  // in whose place it runs, if processors idle
};

static void* as_argument(struct birth_note note) {
    return (void*)(note.turn * MAX_PROCESSORS + note.runner);
}

static struct birth_note noted(void* argument) {
    return (struct birth_note){(unsigned)argument / MAX_PROCESSORS,
                               (unsigned)argument % MAX_PROCESSORS};
}

static __attribute__((noinline)) void create_successor(struct birth_note note) {
    void* argument = as_argument(note);
    uint32_t base_us = board_clock_us() + 2 * APART_US;
    shared.tick_us = base_us + PHASE_US + APART_US;
    wait_by_chance(base_us, PHASE_US);
    START(made_watch);
    START(create_watch);
    uint32_t before_us = STAMP();
    thread_create(life, argument);
    uint32_t after_us = STAMP();
    STOP(create_watch);
    wait_for_tick();
    STOP(made_watch);
    if (stamped && note.turn > warm) {
        unsigned cpu = read_register(BOARD_PROCESSOR);
        own[cpu].create_us += after_us - before_us;
        if (some_idle) own[cpu].start_us += shared.started_us - before_us;
    }
}

// All that run see that the event of `turn` is over, and then this thread finishes.
static __attribute__((noinline)) void pass_turn(unsigned turn) {
    if (turn == last && rest_us != 0) {
        wait_until_us(board_clock_us() + rest_us);
        exit(0);
    }
    events.actor = random_below(runners);
    events.turn = turn + 1;
    wait_by_chance(board_clock_us() + APART_US, 1);
}

// The last event is over. Runners end one after the other, so that this costs the same in each run;
// those who then start where one has ended go at once.
static __attribute__((noinline)) void end(unsigned runner) {
    unsigned cpu = read_register(BOARD_PROCESSOR);
    if (own[cpu].ended) return;
    own[cpu].ended = true;
    wait_until_us(board_clock_us() + (2 + runner) * APART_US);
    if (runner != 0) return;
    lock_acquire(&end_lock, thread_lock_slot());
    thread_signal(waits_for_end);
    lock_release(&end_lock, thread_lock_slot());
}

// Of a thread that has just started: the last event that is none of its own.
static unsigned begin(unsigned cpu, unsigned created, uint32_t now_us) {
    unsigned turn = events.turn;
    if (turn == 0) return 0;
    if (some_idle) {
        shared.started_us = now_us;
        bool late = (int32_t)(board_clock_us() - shared.tick_us) >= 0;
        if (late && created > warm) panic("event %u is not over in time", created);
        wait_for_tick();
        STOP(started_watch);
        return created;
    }
    // Its processor may already have the next turn.
    if (stamped && turn - 1 > warm && !own[cpu].ended)
        own[cpu].finish_us += now_us - own[cpu].finished_us;
    return turn - 1;
}

// From a thread's start to its end. Whether that belongs to an event, not to the end of all.
static __attribute__((noinline)) THREAD_CALL bool live(void* argument, uint32_t now_us) {
    unsigned cpu = read_register(BOARD_PROCESSOR);
    struct birth_note note = noted(argument);
    unsigned runner = some_idle ? note.runner : cpu;
    __asm__ volatile("lock incl %0" : "+m"(lives.value) : : "memory", "cc");
    unsigned seen = begin(cpu, note.turn, now_us), turn;
    for (;; seen = turn) {
        while ((turn = events.turn) == seen) {
        }
        if (turn > last) {
            end(runner);
            return false;
        }
        if (events.actor == runner) break;
    }
    create_successor((struct birth_note){turn, runner});
    pass_turn(turn);
    return true;
}

// Keeps no registers, so that it begins and ends as a null thread does.
static void life(void* argument) {
    uint32_t now_us = STAMP();
    STOP(finish_watch);
    START(started_watch);
    if (!live(argument, now_us)) return;
    if (stamped) {
        uint32_t* finished_us = &own[read_register(BOARD_PROCESSOR)].finished_us;
        *finished_us = STAMP();
    }
    START(finish_watch);
}

// How many there are at first. With a backlog, n are there between creation and finish.
static unsigned threads_at_first(void) {
    return runnable > processors() ? runnable - 1 : runnable;
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < threads_at_first(); i++)
        thread_create(life, as_argument((struct birth_note){0, i % MAX_PROCESSORS}));
    wait_until_us(board_clock_us() + 2 * APART_US);
    lock_acquire(&end_lock, thread_lock_slot());
    waits_for_end = thread_self();
    events.actor = random_below(runners);
    events.turn = 1;
    thread_block(&end_lock);
}

static void report_stamps(void) {
    unsigned create_us = 0, start_us = 0, finish_us = 0;
    for (unsigned i = 0; i < processors(); i++) {
        create_us += own[i].create_us;
        start_us += own[i].start_us;
        finish_us += own[i].finish_us;
    }
    report("create_us", create_us);
    if (some_idle)
        report("start_us", start_us);
    else
        report("finish_us", finish_us);
}

int main(void) {
    check_lock_argument();
    runnable = arg_unsigned("runnable", processors());
    last = arg_unsigned("events", 500);
    warm = arg_unsigned("warm", 100);
    rest_us = arg_unsigned("rest_us", 0);
    if (runnable == 0 || last == 0) panic("runnable and events must be at least 1");
    some_idle = runnable < processors();
    runners = some_idle ? runnable : processors();
    threads_run(first_thread, NULL);
    report("events", last);
    if (stamped) report_stamps();
    unsigned all = threads_at_first() + last;
    if (lives.value != all) printf("%u threads have run, not %u\n", lives.value, all);
    return lives.value == all ? 0 : 1;
}
