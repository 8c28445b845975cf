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

// A in the structure of L. Panics if there is no memory.
struct factor factor_of_grid(unsigned side);

// The steps of the numeric factorisation. Before a column is completed, each complete column with
// an entry in its row modifies it. `by` has that entry at place `entry`, and is only read.
void column_modify(struct column* column, const struct column* by, unsigned entry);
void column_complete(struct column* column);

// Solves A x = b by L for the b that belongs to x = 1. The largest component of b - A x.
double factor_residual(const struct factor* factor);
