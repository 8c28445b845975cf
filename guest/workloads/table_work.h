// SPDX-License-Identifier: MIT
#pragma once

// Work on a table private to the processor: in each round some of its numbers are swapped, then it
// is sorted and summed. Mostly loads and branches on data that fit the cache, since a nearly sorted
// table needs few stores. Runs in any ring on any stack: calls no library function.

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

#define SHORT_PART 32  // parts up to this length are not split further

struct table {
    LINE_ALIGNED unsigned* numbers;
    unsigned count, rounds, exchanges;
    uint32_t random;
    uint32_t checksum;  // of the sorted table
};

// Number `i` of the sorted table.
static inline unsigned table_number(unsigned i) {
    return 7 * i + 3;
}

// A random index: the upper bits of a linear congruence, whose lower bits repeat soon.
static inline unsigned table_place(struct table* table) {
    table->random = table->random * 1664525 + 1013904223;
    return (table->random >> 8) % table->count;
}

static inline void table_exchange(struct table* table, unsigned exchanges) {
    for (; exchanges > 0; exchanges--) {
        unsigned* one = &table->numbers[table_place(table)];
        unsigned* other = &table->numbers[table_place(table)];
        unsigned number = *one;
        *one = *other;
        *other = number;
    }
}

static void sort_by_insertion(unsigned* first, unsigned* end) {
    for (unsigned* next = first + 1; next < end; next++) {
        unsigned number = *next, *place = next;
        for (; place > first && place[-1] > number; place--) *place = place[-1];
        if (place != next) *place = number;
    }
}

// Quicksort with Hoare's partition. It recurses into the shorter half, so calls nest little.
static void sort(unsigned* first, unsigned* end) {
    while (end - first > SHORT_PART) {
        unsigned *low = first, *high = end - 1, pivot = first[(end - first - 1) / 2];
        for (;; low++, high--) {
            while (*low < pivot) low++;
            while (*high > pivot) high--;
            if (low >= high) break;
            unsigned number = *low;
            *low = *high;
            *high = number;
        }
        unsigned* upper = high + 1;
        if (upper - first < end - upper) {
            sort(first, upper);
            first = upper;
        } else {
            sort(upper, end);
            end = upper;
        }
    }
    sort_by_insertion(first, end);
}

// Fletcher's checksum over half-words: it depends on the order.
static uint32_t table_checksum(const struct table* table) {
    uint32_t sum = 0, of_sums = 0;
    const unsigned* end = table->numbers + table->count;
    for (const unsigned* number = table->numbers; number < end; number++) {
        sum += *number & 0xffff;
        of_sums += sum;
        sum += *number >> 16;
        of_sums += sum;
    }
    return sum ^ of_sums << 16 ^ of_sums >> 16;
}

// The table starts sorted, for the checksum.
static void table_setup(struct table* table, unsigned seed) {
    table->random = seed;
    for (unsigned i = 0; i < table->count; i++) table->numbers[i] = table_number(i);
    table->checksum = table_checksum(table);
}

// Runs all rounds; returns how many ended with a checksum other than that of the sorted table.
static uint32_t table_work(uint32_t address) {
    struct table* table = (struct table*)address;
    uint32_t wrong = 0;
    for (unsigned round = table->rounds; round > 0; round--) {
        table_exchange(table, table->exchanges);
        sort(table->numbers, table->numbers + table->count);
        wrong += table_checksum(table) != table->checksum;
    }
    return wrong;
}

static bool table_in_order(const struct table* table) {
    for (unsigned i = 0; i < table->count; i++)
        if (table->numbers[i] != table_number(i)) return false;
    return true;
}
