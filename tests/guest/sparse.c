// SPDX-License-Identifier: MIT

// The sparse Cholesky factorisation of guest/workloads/sparse.h on one processor: the numbering is
// a permutation, L L' is the matrix, the residual tells a right factor from a wrong one.

#include "workloads/sparse.h"

#include "math.h"
#include "test.h"

#define MOST_SIDE 12
#define TOLERANCE 1e-12

static void factorise(struct factor* factor) {
    for (unsigned j = 0; j < factor->order; j++) {
        struct column* column = &factor->columns[j];
        column_complete(column);
        for (unsigned k = 0; k < column->entries; k++)
            column_modify(&factor->columns[column->rows[k]], column, k);
    }
}

static void check_numbering(const struct factor* factor) {
    for (unsigned point = 0; point < factor->order; point++) {
        CHECK(factor->numbers[point] < factor->order);
        CHECK_EQUAL(factor->points[factor->numbers[point]], point);
    }
}

static void check_columns(const struct factor* factor) {
    for (unsigned j = 0; j < factor->order; j++) {
        const struct column* column = &factor->columns[j];
        for (unsigned k = 0; k < column->entries; k++) {
            CHECK(column->rows[k] < factor->order);
            CHECK(column->rows[k] > (k == 0 ? j : column->rows[k - 1]));
            CHECK(column->values[k] != 0);
        }
    }
}

static double entry_of(const struct column* column, unsigned number, unsigned row) {
    if (row == number) return column->diagonal;
    for (unsigned k = 0; k < column->entries; k++)
        if (column->rows[k] == row) return column->values[k];
    return 0;
}

static unsigned distance(unsigned a, unsigned b) {
    return a < b ? b - a : a - b;
}

// Grid points at a distance of 1 are neighbours.
static double entry_of_matrix(const struct factor* factor, unsigned row, unsigned column) {
    unsigned a = factor->points[row], b = factor->points[column], side = factor->side;
    unsigned apart = distance(a % side, b % side) + distance(a / side, b / side);
    return apart == 0 ? 4 : apart == 1 ? -1 : 0;
}

static void check_product(const struct factor* factor) {
    for (unsigned row = 0; row < factor->order; row++)
        for (unsigned column = 0; column <= row; column++) {
            double sum = 0;
            for (unsigned j = 0; j <= column; j++)
                sum += entry_of(&factor->columns[j], j, row) *
                       entry_of(&factor->columns[j], j, column);
            CHECK(fabs(sum - entry_of_matrix(factor, row, column)) < TOLERANCE);
        }
}

int main(void) {
    for (unsigned side = 1; side <= MOST_SIDE; side++) {
        struct factor factor = factor_of_grid(side);
        CHECK_EQUAL(factor.order, side * side);
        check_numbering(&factor);
        factorise(&factor);
        check_columns(&factor);
        if (side <= 6) check_product(&factor);
        CHECK(factor_residual(&factor) < TOLERANCE);
        factor.columns[side * side / 2].diagonal *= 1.001;
        CHECK(factor_residual(&factor) > TOLERANCE);
    }
    return 0;
}
