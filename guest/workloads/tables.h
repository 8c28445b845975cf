// SPDX-License-Identifier: MIT
#pragma once

// Set-up and checks that tables.c and tables_paged.c share: a table for each processor.
//
// Arguments   count      numbers in a table; default 4096, 16 KB
//             rounds     of swapping, sorting and summing; default 20
//             exchanges  pairs of numbers swapped in each round; default 16
// Results     elapsed_us, rounds
// Checks      the checksum of each round is that of the sorted table; at the end each number is in
//             its place

#include "stdlib.h"
#include "symsim.h"
#include "table_work.h"

static struct table tables[MAX_PROCESSORS];
static struct {
    LINE_ALIGNED uint32_t wrong_rounds;
    bool in_order;
} found[MAX_PROCESSORS];
static uint32_t start_us;

static void tables_setup(void) {
    unsigned count = arg_unsigned("count", 4096), rounds = arg_unsigned("rounds", 20);
    if (count == 0 || rounds == 0) panic("count and rounds must be at least 1");
    unsigned* numbers = malloc(processors() * count * sizeof(unsigned));
    if (numbers == NULL) panic("no memory for %u tables of %u numbers", processors(), count);
    for (unsigned cpu = 0; cpu < processors(); cpu++, numbers += count) {
        tables[cpu] = (struct table){.count = count, .rounds = rounds};
        tables[cpu].exchanges = arg_unsigned("exchanges", 16);
        tables[cpu].numbers = numbers;
    }
    start_us = clock_us();
}

static void table_check(unsigned cpu, uint32_t wrong_rounds) {
    found[cpu].wrong_rounds = wrong_rounds;
    found[cpu].in_order = table_in_order(&tables[cpu]);
}

static int tables_finish(void) {
    report("elapsed_us", clock_us() - start_us);
    report("rounds", tables[0].rounds);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        if (found[cpu].wrong_rounds != 0 || !found[cpu].in_order) {
            printf("processor %u: %u rounds with a wrong checksum, table %s in order at the end\n",
                   cpu, found[cpu].wrong_rounds, found[cpu].in_order ? "is" : "is not");
            return 1;
        }
    return 0;
}
