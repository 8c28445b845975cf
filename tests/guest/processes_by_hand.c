// SPDX-License-Identifier: MIT

// Processes in a single program: a kernel by hand passes their probe points. A process is a state
// machine that uses a lock. The kernel stops it at random, also while it waits for the lock or
// holds it, and runs it again on any processor. The program counts what the simulator counts.

#include "sections.h"
#include "test.h"

#define PROCESSES 12
#define TURNS 4  // acquisitions of each process

enum step { WORKING, WAITING, HOLDING, RELEASING, ENDED };

static struct process {
    unsigned number, turns, last_processor;
    enum step step;
} all[PROCESSES];

static struct {
    LINE_ALIGNED volatile unsigned char word;
    volatile unsigned holder;
} lock;

// The kernel's lock protects all of this. The kernel may acquire it in one process and release it
// after a switch.
static struct { LINE_ALIGNED volatile unsigned char word; } kernel_lock;
static struct process* ready[PROCESSES];
static struct process* blocked[PROCESSES];
static volatile unsigned ready_count, blocked_count, ended;
static unsigned quanta, preemptions, extensions, yields, blocks, migrations;

static KERNEL_FUNCTION void lock_kernel(void) {
    PROBE(PROBE_LOCK_ATTEMPT, &kernel_lock);
    while (exchange_byte(&kernel_lock.word, 1) != 0) {
    }
    PROBE(PROBE_LOCK_ACQUIRED, &kernel_lock);
}

static KERNEL_FUNCTION void unlock_kernel(void) {
    PROBE(PROBE_LOCK_RELEASE, &kernel_lock);
    exchange_byte(&kernel_lock.word, 0);
}

static KERNEL_FUNCTION void create(struct process* process) {
    lock_kernel();
    PROBE(PROBE_PROCESS_CREATE, process->number);
    ready[ready_count++] = process;
    unlock_kernel();
}

// Takes one process from the list, and returns it.
static KERNEL_FUNCTION struct process* take(struct process** list, volatile unsigned* count) {
    unsigned place = random_below(*count);
    struct process* process = list[place];
    list[place] = list[--*count];
    return process;
}

// Chooses a process and begins to run it; NULL if none is ready.
static KERNEL_FUNCTION struct process* run(void) {
    struct process* process = NULL;
    lock_kernel();
    if (blocked_count > 0 && (ready_count == 0 || random_below(4) == 0)) {
        struct process* woken = take(blocked, &blocked_count);
        PROBE(PROBE_PROCESS_WAKE, woken->number);
        ready[ready_count++] = woken;
    }
    if (ready_count > 0) {
        process = take(ready, &ready_count);
        PROBE(PROBE_PROCESS_RUN, process->number);  // not last in the branch: probes.h
        quanta++;
        migrations +=
            process->last_processor < processors() && process->last_processor != processor();
        process->last_processor = processor();
    }
    unlock_kernel();
    return process;
}

static KERNEL_FUNCTION void stop(struct process* process) {
    lock_kernel();
    unsigned how = random_below(4);
    if (process->step == ENDED) {
        PROBE(PROBE_PROCESS_EXIT, process->number);
        ended++;
    } else if (how == 0 && process->step == WORKING) {
        PROBE(PROBE_PROCESS_BLOCK, process->number);
        blocked[blocked_count++] = process;
        blocks++;
    } else {
        if (how == 1) {
            PROBE(PROBE_PROCESS_YIELD, process->number);
            yields++;
        } else {
            PROBE(PROBE_PROCESS_PREEMPT, process->number);
            preemptions++;
        }
        ready[ready_count++] = process;
    }
    unlock_kernel();
}

static KERNEL_FUNCTION void warn(struct process* process) {
    lock_kernel();
    PROBE(PROBE_PROCESS_WARN, process->number);
    extensions++;
    unlock_kernel();
}

static void delay(unsigned turns) {
    for (unsigned i = 0; i < turns; i++) compiler_barrier();
}

static void take_step(struct process* process) {
    delay(random_below(40));
    if (process->step == WORKING && random_below(3) == 0) {
        PROBE(PROBE_LOCK_ATTEMPT, &lock);
        process->step = WAITING;
    } else if (process->step == WAITING && exchange_byte(&lock.word, 1) == 0) {
        PROBE(PROBE_LOCK_ACQUIRED, &lock);
        lock.holder = process->number;
        process->step = HOLDING;
    } else if (process->step == HOLDING && random_below(3) == 0) {
        CHECK_EQUAL(lock.holder, process->number);
        PROBE(PROBE_LOCK_RELEASE, &lock);
        exchange_byte(&lock.word, 0);
        process->step = RELEASING;
    } else if (process->step == RELEASING) {
        // Every second release has no end that a probe point marks.
        if (process->turns % 2 == 0) PROBE(PROBE_LOCK_RELEASED, &lock);
        process->step = ++process->turns == TURNS ? ENDED : WORKING;
    }
}

static void schedule(unsigned cpu, void* unused) {
    (void)cpu;
    (void)unused;
    while (ended < PROCESSES) {
        struct process* process = run();
        if (process == NULL) continue;
        unsigned steps = 1 + random_below(8);
        while (steps-- > 0 && process->step != ENDED) {
            take_step(process);
            if (steps == 0 && process->step == HOLDING && random_below(2) == 0) {
                warn(process);
                steps = 2;
            }
        }
        stop(process);
    }
}

int main(void) {
    for (unsigned n = 0; n < PROCESSES; n++) {
        all[n].number = n;
        all[n].last_processor = processors();
        create(&all[n]);
    }
    run_on_all(schedule, NULL);
    report("quanta", quanta);
    report("preemptions", preemptions);
    report("extensions", extensions);
    report("yields", yields);
    report("blocks", blocks);
    report("migrations", migrations);
    report("acquisitions", PROCESSES * TURNS);
    return 0;
}
