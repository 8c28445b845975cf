// SPDX-License-Identifier: MIT

// Sparse Cholesky factorisation (sparse.h) by the workers of process_load.h, after the program of
// the SPLASH suite that Wisniewski, Kontothanassis and Scott (1993, section 4.4) measured. A queue
// has the columns that all earlier columns have modified. A worker takes one, completes it, and
// modifies later columns by it. The queue is guarded by a lock. So is each column that is being
// modified; columns share COLUMN_LOCKS locks. No worker holds two locks.
//
// Arguments   those of process_load.h, and
//             size            side of the grid; default 30. The matrix has size * size columns
//             program         if given, must be cholesky
//             lock            if given, must be the lock this image is built with
// Results     those of process_load.h, and
//             columns, entries   of the factor; entries below the diagonal
//             residual           largest component of b - A x, in 1e-15
// Checks      the residual is below 1e-12
//
// A worker that finds the queue empty reads it in its cache until it changes.

#include "process_load.h"
#include "sparse.h"
#include "stdlib.h"

#define COLUMN_LOCKS 64
#define RESIDUAL_BOUND 1e-12

static struct lock queue_lock = LOCK_INIT;
static struct lock column_locks[COLUMN_LOCKS] = {[0 ... COLUMN_LOCKS - 1] = LOCK_INIT};

// Columns in the order in which they became ready, each once: those to `taken` have a worker.
static struct {
    LINE_ALIGNED volatile unsigned taken;
    volatile unsigned ready;
    unsigned* columns;
} queue;

static struct factor factor;
static unsigned* missing;  // column -> number of columns that have not modified it yet

static struct { LINE_ALIGNED struct lock_slot slot; } workers[MAX_PROCESSORS];

static void put(struct lock_slot* slot, unsigned column) {
    lock_acquire(&queue_lock, slot);
    queue.columns[queue.ready] = column;
    queue.ready++;
    lock_release(&queue_lock, slot);
}

// False if no column is ready.
static bool take(struct lock_slot* slot, unsigned* column) {
    lock_acquire(&queue_lock, slot);
    bool taken = queue.taken != queue.ready;
    if (taken) {
        *column = queue.columns[queue.taken];
        queue.taken++;
    }
    lock_release(&queue_lock, slot);
    return taken;
}

static void modify_later_columns(struct lock_slot* slot, const struct column* by) {
    for (unsigned entry = 0; entry < by->entries; entry++) {
        unsigned later = by->rows[entry];
        struct lock* lock = &column_locks[later % COLUMN_LOCKS];
        lock_acquire(lock, slot);
        column_modify(&factor.columns[later], by, entry);
        bool ready = --missing[later] == 0;
        lock_release(lock, slot);
        if (ready) put(slot, later);
    }
}

static void work(unsigned worker) {
    struct lock_slot* slot = &workers[worker].slot;
    while (queue.taken != factor.order) {
        unsigned column;
        if (queue.taken == queue.ready || !take(slot, &column)) continue;
        column_complete(&factor.columns[column]);
        modify_later_columns(slot, &factor.columns[column]);
    }
}

static void setup(unsigned side) {
    factor = factor_of_grid(side);
    missing = calloc(factor.order, sizeof *missing);
    queue.columns = malloc(factor.order * sizeof *queue.columns);
    if (missing == NULL || queue.columns == NULL) panic("no memory for a grid of side %u", side);
    unsigned entries = 0;
    for (unsigned j = 0; j < factor.order; j++) {
        const struct column* column = &factor.columns[j];
        entries += column->entries;
        for (unsigned k = 0; k < column->entries; k++) missing[column->rows[k]]++;
    }
    for (unsigned j = 0; j < factor.order; j++)
        if (missing[j] == 0) queue.columns[queue.ready++] = j;
    report("columns", factor.order);
    report("entries", entries);
}

static bool check(void) {
    double residual = factor_residual(&factor);
    report("residual", (uint64_t)(residual * 1e15));
    if (residual < RESIDUAL_BOUND) return true;  // false for a NaN
    printf("the residual is not below 1e-12\n");
    return false;
}

int main(void) {
    load_setup();
    check_image_argument("program", "cholesky");
    unsigned side = arg_unsigned("size", 30);
    if (side < 1 || side > 100) panic("size must be 1 to 100");
    setup(side);
    load_run(work);
    return check() ? 0 : 1;
}
