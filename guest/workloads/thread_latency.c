// SPDX-License-Identifier: MIT

// Latency of thread management with n runnable threads, ALL Figure 3.4 (claims ALL-26 to ALL-31,
// ALL-35, ALL-38, ALL-79). Events are kept apart, so that no lock is contended. In an event one of
// the running threads, drawn at random, creates another thread and then finishes. All other running
// threads loop in their caches.
//
// n < P: an idle processor starts the new thread, which then runs in place of its creator. There
// are n running threads at the creation. n > P: the new thread waits, and the processor of the
// finishing thread takes a waiting one. There are n threads at the finish. n = P: only the new
// thread waits, as with n = P + 1.
//
// Arguments   runnable  n, default the number of processors
//             events    all events; default 500
//             warm      how many of these, the first ones, do not count; default 100
//             rest_us   if given, nothing happens for this time after the last event; then the run
//                       ends at once, before the last thread finishes
// Results     events
//             create_us, start_us, finish_us   with TIME_STAMPS only: sums over the events that
//                       count. create_us: time in thread_create. start_us, n < P: from before it
//                       to the new thread's start. finish_us, n >= P: from finish to the next start
// Checks      as many threads have run as there were events and initial threads
//
// Without TIME_STAMPS stopwatches measure these times (stopwatch.h), over all events. A run with
// `warm` events equals the start of a longer one (if the numbers have as many digits): its sums are
// subtracted. From creation to start two processors are involved: `made` begins on one, `started`
// on the other, and both end when the same microsecond begins.

#include "cpu.h"
#include "locks/turns.h"
#include "stopwatch.h"
#include "threads.h"
#include "workload.h"

// Time between two steps of an event. By then the others have seen the step, with two read misses
// each, and its effects have ended.
#define APART_US 400
// An event is delayed at random by up to this time: longer than an idle processor's tour of 18
// queues, so that idle processors are at random queues.
#define PHASE_US 128
// And by up to this many iterations, several microseconds: a random phase of the clock.
#define PHASE_TURNS 16

// All running threads read this; the thread whose turn it is writes it.
static struct {
    LINE_ALIGNED volatile unsigned turn;  // number of the event, from 1; written last
    volatile unsigned actor;              // runner that acts in the event, 0 .. runners - 1
} events;

static struct {
    LINE_ALIGNED volatile uint32_t tick_us;  // when stopwatches stop
    volatile uint32_t started_us;            // start of the newest thread
} shared;

static struct { LINE_ALIGNED volatile unsigned value; } lives;

// Per-processor data.
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

// One function for both ends of an interval, so that both see the tick with equal delay.
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

// What a thread learns at its creation, packed into its argument.
struct birth_note {
    unsigned turn;    // number of the event; 0: an initial thread
    unsigned runner;  // whose place it takes, if processors are idle
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

// Announces the end of event `turn` to all running threads; then this thread can finish.
static __attribute__((noinline)) void pass_turn(unsigned turn) {
    if (turn == last && rest_us != 0) {
        wait_until_us(board_clock_us() + rest_us);
        exit(0);
    }
    events.actor = random_below(runners);
    events.turn = turn + 1;
    wait_by_chance(board_clock_us() + APART_US, 1);
}

// After the last event. Runners end one after the other, so that the end costs the same in each
// run. A thread that starts where a runner has ended returns at once.
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

// For a thread that has just started: the last event in which it does not take part.
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
    // Event `turn` may be for this processor already, so it does not count as seen.
    if (stamped && turn - 1 > warm && !own[cpu].ended)
        own[cpu].finish_us += now_us - own[cpu].finished_us;
    return turn - 1;
}

// A thread from start to finish. True if its finish belongs to an event, not to the end of the run.
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

// Uses no callee-saved registers, so that it begins and ends as a null thread does.
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

// Number of initial threads. With a backlog there are n between creation and finish.
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
