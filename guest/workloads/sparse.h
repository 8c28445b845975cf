// SPDX-License-Identifier: MIT
#pragma once

// A sparse symmetric matrix A by columns, its Cholesky factor L with A = L L', and a check of L.
//
// A is the 5-point Laplacian of a square grid: 4 on the diagonal, -1 for each pair of neighbours.
// It is positive definite. Its unknowns are numbered by nested dissection (A. George, SIAM J.
// Numerical Analysis 10(2), 1973): a line of the grid separates two parts. The parts are numbered
// first, each by the same rule, and the line last. So the parts can be factorised in parallel.
//
//     0  1 12  6  7
//     4  5 13 10 11      12 13 14 separate two parts; in each part a line separates two points
//     2  3 14  8  9      from two others
//
// A column of L has room for every entry that becomes other than zero. This structure is found
// beforehand, by symbolic factorisation.

#include <stdbool.h>

#include "math.h"
#include "stdlib.h"
#include "string.h"
#include "symsim.h"

// Entry k of a column is in row rows[k]; rows ascend. The diagonal is apart.
struct column {
    double diagonal;
    double* values;
    unsigned* rows;
    unsigned entries;
};

struct factor {
    unsigned side, order;    // of the grid; of the matrix: side * side
    unsigned* points;        // number of an unknown -> its grid point, y * side + x
    unsigned* numbers;       // grid point -> number of its unknown
    struct column* columns;  // A, then L
};

#define MOST_NEIGHBOURS 4
#define DIAGONAL 4.0
#define NEIGHBOUR -1.0

static void* allocated(size_t count, size_t bytes) {
    void* memory = calloc(count, bytes);
    if (memory == NULL) panic("no memory for %u times %u bytes", (unsigned)count, (unsigned)bytes);
    return memory;
}

// ---- numbering ----

struct rectangle {
    unsigned x, y, width, height;
};

static void number_point(struct factor* factor, unsigned x, unsigned y, unsigned number) {
    factor->numbers[y * factor->side + x] = number;
    factor->points[number] = y * factor->side + x;
}

// Numbers the points of a rectangle, the first one `next`. Returns the next free number.
static unsigned dissect(struct factor* factor, struct rectangle all, unsigned next) {
    if (all.width == 0 || all.height == 0) return next;
    struct rectangle before = all, line = all, after = all;
    if (all.width >= all.height) {
        before.width = all.width / 2;
        line.x += before.width;
        line.width = 1;
        after.x = line.x + 1;
        after.width -= before.width + 1;
    } else {
        before.height = all.height / 2;
        line.y += before.height;
        line.height = 1;
        after.y = line.y + 1;
        after.height -= before.height + 1;
    }
    next = dissect(factor, after, dissect(factor, before, next));
    for (unsigned y = line.y; y < line.y + line.height; y++)
        for (unsigned x = line.x; x < line.x + line.width; x++) number_point(factor, x, y, next++);
    return next;
}

// The unknowns that have an entry in column `number` of A, in any order. Returns how many.
static unsigned neighbours(const struct factor* factor, unsigned number,
                           unsigned found[MOST_NEIGHBOURS]) {
    unsigned side = factor->side, point = factor->points[number], count = 0;
    if (point % side > 0) found[count++] = factor->numbers[point - 1];
    if (point % side < side - 1) found[count++] = factor->numbers[point + 1];
    if (point / side > 0) found[count++] = factor->numbers[point - side];
    if (point / side < side - 1) found[count++] = factor->numbers[point + side];
    return count;
}

// ---- symbolic factorisation ----

// Marks and counts the rows below column `number` in which a column has entries.
struct row_set {
    bool* has;
    unsigned count;
};

static void add_row(struct row_set* set, unsigned row, unsigned number) {
    if (row <= number || set->has[row]) return;
    set->has[row] = true;
    set->count++;
}

// Moves the rows of the set into the column; the set is then empty.
static void take_rows(struct row_set* set, struct column* column, unsigned number, unsigned order) {
    column->rows = allocated(set->count + 1, sizeof(unsigned));
    column->values = allocated(set->count + 1, sizeof(double));
    for (unsigned row = number + 1; column->entries < set->count && row < order; row++) {
        if (!set->has[row]) continue;
        set->has[row] = false;
        column->rows[column->entries++] = row;
    }
    set->count = 0;
}

// Column j has the entries of A, and those of each earlier column whose first entry below the
// diagonal is in row j: j is then its parent in the elimination tree.
static void find_rows(struct factor* factor) {
    struct row_set set = {allocated(factor->order, sizeof(bool)), 0};
    unsigned found[MOST_NEIGHBOURS];
    for (unsigned j = 0; j < factor->order; j++) {
        unsigned count = neighbours(factor, j, found);
        for (unsigned i = 0; i < count; i++) add_row(&set, found[i], j);
        for (const struct column* child = factor->columns; child < factor->columns + j; child++)
            if (child->entries != 0 && child->rows[0] == j)
                for (unsigned i = 0; i < child->entries; i++) add_row(&set, child->rows[i], j);
        take_rows(&set, &factor->columns[j], j, factor->order);
    }
}

static double* value_at(struct column* column, unsigned row) {
    unsigned entry = 0;
    while (column->rows[entry] != row) entry++;
    return &column->values[entry];
}

// A in the structure of L. Panics if there is no memory.
static struct factor factor_of_grid(unsigned side) {
    unsigned order = side * side;
    struct factor factor = {side, order, allocated(order, sizeof(unsigned)),
                            allocated(order, sizeof(unsigned)),
                            allocated(order, sizeof(struct column))};
    dissect(&factor, (struct rectangle){0, 0, side, side}, 0);
    find_rows(&factor);
    unsigned found[MOST_NEIGHBOURS];
    for (unsigned j = 0; j < order; j++) {
        factor.columns[j].diagonal = DIAGONAL;
        unsigned count = neighbours(&factor, j, found);
        for (unsigned i = 0; i < count; i++)
            if (found[i] > j) *value_at(&factor.columns[j], found[i]) = NEIGHBOUR;
    }
    return factor;
}

// ---- numeric factorisation: before a column is completed, each complete column with an entry in
// its row modifies it ----

// `by` has that entry at place `entry`, and is only read.
static void column_modify(struct column* column, const struct column* by, unsigned entry) {
    double factor = by->values[entry];
    column->diagonal -= factor * factor;
    unsigned to = 0;
    for (unsigned from = entry + 1; from < by->entries; from++) {
        while (column->rows[to] != by->rows[from]) to++;
        column->values[to] -= factor * by->values[from];
    }
}

static void column_complete(struct column* column) {
    column->diagonal = sqrt(column->diagonal);
    for (unsigned entry = 0; entry < column->entries; entry++)
        column->values[entry] /= column->diagonal;
}

// ---- check ----

// Component `number` of A x.
static double product(const struct factor* factor, const double* x, unsigned number) {
    unsigned found[MOST_NEIGHBOURS], count = neighbours(factor, number, found);
    double sum = DIAGONAL * x[number];
    for (unsigned i = 0; i < count; i++) sum += NEIGHBOUR * x[found[i]];
    return sum;
}

// Solves A x = b by L for the b that belongs to x = 1. The largest component of b - A x.
static double factor_residual(const struct factor* factor) {
    unsigned order = factor->order;
    double *b = allocated(order, sizeof *b), *x = allocated(order, sizeof *x);
    for (unsigned j = 0; j < order; j++) x[j] = 1;
    for (unsigned j = 0; j < order; j++) b[j] = product(factor, x, j);
    memcpy(x, b, order * sizeof *x);
    for (unsigned j = 0; j < order; j++) {  // L y = b, y in x
        const struct column* of = &factor->columns[j];
        x[j] /= of->diagonal;
        for (unsigned k = 0; k < of->entries; k++) x[of->rows[k]] -= of->values[k] * x[j];
    }
    for (unsigned j = order; j-- > 0;) {  // L' x = y
        const struct column* of = &factor->columns[j];
        for (unsigned k = 0; k < of->entries; k++) x[j] -= of->values[k] * x[of->rows[k]];
        x[j] /= of->diagonal;
    }
    double most = 0;
    for (unsigned j = 0; j < order; j++) most = fmax(most, fabs(b[j] - product(factor, x, j)));
    return most;
}
