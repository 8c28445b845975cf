// SPDX-License-Identifier: MIT

// Jacobi's method for Laplace's equation on a square grid, with threads, for every strategy. In
// each sweep every point becomes the mean of its four neighbours in the sweep before. A sweep forks
// a thread for each block of rows and joins all of them.
//
// Arguments  size           points on a side without the boundary; default 80
//            sweeps         default 6
//            block_rows     rows of a block; default 2
// Results    elapsed_us     of all sweeps
//            residual_ppm   largest change in the last sweep, in millionths of the boundary value
// Checks     the grid equals, to the last bit, that of one processor without threads

#include "stdlib.h"
#include "symsim.h"
#include "threads.h"

#define BOUNDARY 1.0  // on the upper edge; the other three edges are 0

// (size + 2)^2 points by rows. A sweep reads `from` and writes `to`; then the two are swapped.
struct grids {
    double *from, *to;
};

struct block {
    struct grids grids;
    unsigned first, end;  // rows
    struct thread_task task;
};

static unsigned size, sweeps, block_rows;
static struct grids threaded, alone;
static uint32_t elapsed_us;

static double* at(double* grid, unsigned row, unsigned column) {
    return &grid[row * (size + 2) + column];
}

static double* new_grid(void) {
    unsigned points = (size + 2) * (size + 2);
    double* grid = malloc(points * sizeof(double));
    if (grid == NULL) panic("no memory for a grid of %u points", points);
    for (unsigned i = 0; i < points; i++) grid[i] = i < size + 2 ? BOUNDARY : 0;
    return grid;
}

static struct grids new_grids(void) {
    return (struct grids){new_grid(), new_grid()};
}

static void exchange(struct grids* grids) {
    *grids = (struct grids){grids->to, grids->from};
}

static void relax_rows(struct grids grids, unsigned first, unsigned end) {
    for (unsigned row = first; row < end; row++) {
        const double* above = at(grids.from, row - 1, 1);
        const double* here = at(grids.from, row, 1);
        const double* below = at(grids.from, row + 1, 1);
        double* to = at(grids.to, row, 1);
        for (unsigned i = 0; i < size; i++)
            to[i] = (above[i] + below[i] + (&here[i])[-1] + here[i + 1]) * 0.25;
    }
}

static void relax_block(void* argument) {
    const struct block* block = argument;
    relax_rows(block->grids, block->first, block->end);
}

static void solve_by_threads(void* unused) {
    (void)unused;
    unsigned count = (size + block_rows - 1) / block_rows;
    struct block* blocks = malloc(count * sizeof(struct block));
    if (blocks == NULL) panic("no memory for %u blocks", count);
    uint32_t start_us = clock_us();
    for (unsigned sweep = 0; sweep < sweeps; sweep++) {
        for (unsigned i = 0; i < count; i++) {
            blocks[i].grids = threaded;
            blocks[i].first = 1 + i * block_rows;
            blocks[i].end = i < count - 1 ? blocks[i].first + block_rows : size + 1;
            thread_fork(&blocks[i].task, relax_block, &blocks[i]);
        }
        for (unsigned i = 0; i < count; i++) thread_join(&blocks[i].task);
        exchange(&threaded);
    }
    elapsed_us = clock_us() - start_us;
    free(blocks);
}

static void solve_alone(void) {
    for (unsigned sweep = 0; sweep < sweeps; sweep++) {
        relax_rows(alone, 1, size + 1);
        exchange(&alone);
    }
}

static double residual(struct grids grids) {
    double largest = 0;
    for (unsigned row = 1; row <= size; row++)
        for (unsigned column = 1; column <= size; column++) {
            double change = *at(grids.from, row, column) - *at(grids.to, row, column);
            if (change < 0) change = -change;
            if (change > largest) largest = change;
        }
    return largest;
}

static bool check(void) {
    for (unsigned row = 1; row <= size; row++)
        for (unsigned column = 1; column <= size; column++)
            if (*at(threaded.from, row, column) != *at(alone.from, row, column)) {
                printf("row %u, column %u differs\n", row, column);
                return false;
            }
    return true;
}

int main(void) {
    size = arg_unsigned("size", 80);
    sweeps = arg_unsigned("sweeps", 6);
    block_rows = arg_unsigned("block_rows", 2);
    if (size == 0 || sweeps == 0 || block_rows == 0)
        panic("size, sweeps and block_rows must be at least 1");
    threaded = new_grids();
    alone = new_grids();
    threads_run(solve_by_threads, NULL);
    solve_alone();
    report("elapsed_us", elapsed_us);
    report("residual_ppm", (unsigned)(residual(threaded) / BOUNDARY * 1e6));
    return check() ? 0 : 1;
}
