// SPDX-License-Identifier: MIT

// Jacobi's method for Laplace's equation on a square grid with a fixed number of threads
// (Steckermeier & Bellosa 1995, section 7.2.1, Figures 14 and 16, claims MTH-03 to MTH-06, MTH-13
// to MTH-18). Each thread keeps its rows for all sweeps. So a thread comes back to data that its
// processor's cache may still have. Between sweeps all threads meet at a barrier, or each waits for
// its two neighbours only; the paper does not say which. At a barrier the whole grid passes through
// the cache before a thread continues; with neighbours a thread may continue at once.
//
// A thread writes its rows before anybody reads them, and memory is near to the processor that
// touches it first: the rows are near to their thread. Neighbouring rows go to one processor, where
// the strategy has places for threads (thread_place.h).
//
// Without a strategy (SEQUENTIAL): the same sweeps by one processor without threads, to which
// speedup and the gain of fine-grained threads refer (MTH-17).
//
// Arguments  size           points on a side without the boundary; default 64, the paper's is 2048
//            threads        default 32, the paper's are 128; at most `size`
//            sweeps         default 4, the paper's are a few hundred
//            neighbours     1: a thread waits for its neighbours; default 0: for all
//            check          0: no comparison, which costs as much memory and more time again
//            strategy       if given, must be what this image is built with
// Results    elapsed_us     of all sweeps
//            checksum       of the grid's bits
// Checks     the grid equals, to the last bit, that of one processor without threads

#include "cpu.h"
#include "image_argument.h"
#include "stdlib.h"
#include "workload.h"
#ifndef SEQUENTIAL
#include "thread_place.h"
#include "threads.h"
#endif

#define BOUNDARY 1.0  // on the upper edge; the other three edges are 0

// (size + 2)^2 points by rows. A sweep reads grids[0] and writes grids[1], the next one the
// reverse.
struct grids {
    double* grid[2];
};

static unsigned size, threads, sweeps;
static struct grids measured;
static uint32_t elapsed_us;

static double* row_of(double* grid, unsigned row) {
    return &grid[row * (size + 2)];
}

// Memory that nobody has touched yet, but for the heap's word before it. A row begins a line.
static struct grids new_grids(void) {
    struct grids grids;
    const size_t bytes = (size_t)(size + 2) * (size + 2) * sizeof(double);
    for (unsigned i = 0; i < 2; i++) {
        grids.grid[i] = malloc(bytes);
        if (grids.grid[i] == NULL) panic("no memory for a grid of %u bytes", (unsigned)bytes);
    }
    return grids;
}

// The first touch of the rows first .. end - 1, in both grids.
static void set_rows(struct grids grids, unsigned first, unsigned end) {
    for (unsigned i = 0; i < 2; i++)
        for (unsigned row = first; row < end; row++) {
            double* points = row_of(grids.grid[i], row);
            for (unsigned column = 0; column < size + 2; column++)
                points[column] = row == 0 ? BOUNDARY : 0;
        }
}

static void relax_rows(struct grids grids, unsigned sweep, unsigned first, unsigned end) {
    double* from = grids.grid[sweep % 2];
    double* into = grids.grid[1 - sweep % 2];
    for (unsigned row = first; row < end; row++) {
        const double* above = row_of(from, row - 1) + 1;
        const double* here = row_of(from, row) + 1;
        const double* below = row_of(from, row + 1) + 1;
        double* to = row_of(into, row) + 1;
        for (unsigned i = 0; i < size; i++)
            to[i] = (above[i] + below[i] + (&here[i])[-1] + here[i + 1]) * 0.25;
    }
}

static void solve_alone(struct grids grids) {
    for (unsigned sweep = 0; sweep < sweeps; sweep++) relax_rows(grids, sweep, 1, size + 1);
}

#ifdef SEQUENTIAL

static void solve(void) {
    set_rows(measured, 0, size + 2);
    const uint32_t start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    solve_alone(measured);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    elapsed_us = board_clock_us() - start_us;
}

#else

static struct thread_barrier meeting;

// Posted by the neighbours of a thread, when they have done a sweep.
struct neighbours {
    LINE_ALIGNED struct thread_semaphore above, below;
};
static struct neighbours* neighbours;  // of each thread; NULL if all meet

// The first of the rows of a thread; those of all together are 1 .. size.
static unsigned first_row(unsigned number) {
    return 1 + number * size / threads;
}

// A thread overwrites what its neighbours have read in the sweep before, so it cannot continue before
// they have done that.
static void await_others(unsigned number) {
    if (neighbours == NULL) {
        thread_barrier_wait(&meeting);
        return;
    }
    if (number > 0) thread_semaphore_post(&neighbours[number - 1].below);
    if (number < threads - 1) thread_semaphore_post(&neighbours[number + 1].above);
    if (number > 0) thread_semaphore_wait(&neighbours[number].above);
    if (number < threads - 1) thread_semaphore_wait(&neighbours[number].below);
}

static void relax_in_turns(void* argument) {
    const unsigned number = (unsigned)argument;
    const unsigned first = first_row(number), end = first_row(number + 1);
    // The edges belong to the first and the last thread.
    set_rows(measured, number == 0 ? 0 : first, number == threads - 1 ? size + 2 : end);
    thread_barrier_wait(&meeting);
    thread_barrier_wait(&meeting);
    for (unsigned sweep = 0; sweep < sweeps; sweep++) {
        if (sweep > 0) await_others(number);
        relax_rows(measured, sweep, first, end);
    }
    thread_barrier_wait(&meeting);
}

// Neighbours share rows, so they go to one processor. It creates them itself.
static unsigned first_thread_of(unsigned cpu) {
    return cpu * threads / processors();
}

static void create_share(void* argument) {
    const unsigned cpu = (unsigned)argument;
    for (unsigned i = first_thread_of(cpu); i < first_thread_of(cpu + 1); i++)
        thread_create_at(relax_in_turns, (void*)i, thread_on_processor(cpu));
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        thread_create_at(create_share, (void*)cpu, thread_on_processor(cpu));
    thread_barrier_wait(&meeting);  // all have set their rows
    const uint32_t start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    const unsigned meetings = neighbours == NULL ? sweeps : 1;  // the last one: all are done
    for (unsigned i = 0; i <= meetings; i++) thread_barrier_wait(&meeting);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    elapsed_us = board_clock_us() - start_us;
}

static void set_neighbours(void) {
    neighbours = malloc(threads * sizeof *neighbours + LINE_BYTES);
    if (neighbours == NULL) panic("no memory for %u threads", threads);
    neighbours =
        (struct neighbours*)(((uintptr_t)neighbours + LINE_BYTES - 1) & -(uintptr_t)LINE_BYTES);
    const struct thread_semaphore none = THREAD_SEMAPHORE_INIT(0);
    for (unsigned i = 0; i < threads; i++) neighbours[i] = (struct neighbours){none, none};
}

static void solve(void) {
    if (arg_unsigned("neighbours", 0) != 0) set_neighbours();
    meeting = (struct thread_barrier)THREAD_BARRIER_INIT(threads + 1);
    threads_run(first_thread, NULL);
}

#endif

static bool equal_alone(void) {
    struct grids alone = new_grids();
    set_rows(alone, 0, size + 2);
    solve_alone(alone);
    for (unsigned row = 0; row < size + 2; row++)
        for (unsigned column = 0; column < size + 2; column++)
            if (row_of(measured.grid[sweeps % 2], row)[column] !=
                row_of(alone.grid[sweeps % 2], row)[column]) {
                printf("row %u, column %u differs\n", row, column);
                return false;
            }
    return true;
}

// A rotating sum of the grid's words: equal grids have equal sums, in every image.
static uint32_t checksum(void) {
    const uint32_t* words = (const uint32_t*)measured.grid[sweeps % 2];
    uint32_t sum = 0;
    for (unsigned i = 0; i < 2 * (size + 2) * (size + 2); i++)
        sum = (sum << 1 | sum >> 31) + words[i];
    return sum;
}

int main(void) {
#ifndef SEQUENTIAL
    check_strategy_argument();
#ifdef SYMSIM_AFFINITY
    check_image_argument("affinity", SYMSIM_AFFINITY);
#endif
#endif
    size = arg_unsigned("size", 64);
    threads = arg_unsigned("threads", 32);
    sweeps = arg_unsigned("sweeps", 4);
    const bool checks = arg_unsigned("check", 1) != 0;
    if (size == 0 || sweeps == 0 || threads == 0 || threads > size)
        panic("size, sweeps and threads must be at least 1, and threads at most size");
    measured = new_grids();
    solve();
    report("elapsed_us", elapsed_us);
    report("checksum", checksum());
    return !checks || equal_alone() ? 0 : 1;
}
