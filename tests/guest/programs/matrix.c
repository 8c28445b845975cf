// SPDX-License-Identifier: MIT

// Integer matrices: three ways to multiply, powers, and the inverse modulo a prime. The product of
// a matrix and its inverse must be the unit matrix.

#include <string.h>

#include "check.h"

#define N 18
#define PRIME 65521

typedef uint32_t matrix[N][N];

static void multiply(matrix c, matrix a, matrix b) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < N; k++) sum = (sum + a[i][k] * b[k][j] % PRIME) % PRIME;
            c[i][j] = sum;
        }
}

static void multiply_by_rows(matrix c, matrix a, matrix b) {
    memset(c, 0, sizeof(matrix));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % PRIME) % PRIME;
}

// Adds in 64 bits and reduces each sum once.
static void multiply_wide(matrix c, matrix a, matrix b) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < N; k++) sum += (uint64_t)a[i][k] * b[k][j];
            c[i][j] = (uint32_t)(sum % PRIME);
        }
}

static uint32_t power(uint32_t base, uint32_t exponent) {
    uint32_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = (uint32_t)((uint64_t)result * base % PRIME);
        base = (uint32_t)((uint64_t)base * base % PRIME);
    }
    return result;
}

// Gauss-Jordan elimination; false if there is no inverse. By Fermat 1 / x is x^(PRIME - 2).
static int invert(matrix inverse, matrix original) {
    static matrix a;
    memcpy(a, original, sizeof a);
    memset(inverse, 0, sizeof(matrix));
    for (int i = 0; i < N; i++) inverse[i][i] = 1;
    for (int column = 0; column < N; column++) {
        int pivot = column;
        while (pivot < N && a[pivot][column] == 0) pivot++;
        if (pivot == N) return 0;
        for (int j = 0; j < N; j++) {
            uint32_t t = a[pivot][j], u = inverse[pivot][j];
            a[pivot][j] = a[column][j], inverse[pivot][j] = inverse[column][j];
            a[column][j] = t, inverse[column][j] = u;
        }
        uint32_t factor = power(a[column][column], PRIME - 2);
        for (int j = 0; j < N; j++) {
            a[column][j] = a[column][j] * factor % PRIME;
            inverse[column][j] = inverse[column][j] * factor % PRIME;
        }
        for (int i = 0; i < N; i++) {
            if (i == column) continue;
            uint32_t times = PRIME - a[i][column];
            for (int j = 0; j < N; j++) {
                a[i][j] = (a[i][j] + times * a[column][j] % PRIME) % PRIME;
                inverse[i][j] = (inverse[i][j] + times * inverse[column][j] % PRIME) % PRIME;
            }
        }
    }
    return 1;
}

int main(void) {
    static matrix a, b, c, d, e;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = random_word() % PRIME, b[i][j] = random_word() % PRIME;
    multiply(c, a, b);
    multiply_by_rows(d, a, b);
    multiply_wide(e, a, b);
    REQUIRE(memcmp(c, d, sizeof c) == 0);
    REQUIRE(memcmp(c, e, sizeof c) == 0);
    REQUIRE(invert(d, a));
    multiply(e, a, d);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            REQUIRE(e[i][j] == (i == j));
            mix(c[i][j]);
            mix(d[i][j]);
        }
    memcpy(a[3], a[7], sizeof a[3]);  // two equal rows: no inverse
    REQUIRE(!invert(d, a));
    return finish("matrix");
}
