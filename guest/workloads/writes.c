// SPDX-License-Identifier: MIT

// Independent stores at the highest rate that the bus takes: each processor fills its own array
// repeatedly and then reads back the last values.
//
// Arguments   words   of each processor's array; default 4096, 16 KB
//             rounds  of filling; default 40
// Results     elapsed_us, stores (of all processors, in these rounds)
// Checks      each word has the value of the last round

#include "cpu.h"
#include "stdlib.h"
#include "symsim.h"

static unsigned* arrays;  // of all processors, one after the other
static unsigned words, rounds;
static unsigned wrong_words[MAX_PROCESSORS];

static unsigned first_word(unsigned cpu, unsigned round) {
    return (cpu << 24) + (round << 12);
}

static void fill(unsigned* array, unsigned word) {
    for (unsigned* end = array + words; array < end; array++) *array = word++;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    unsigned* array = arrays + cpu * words;
    for (unsigned round = 1; round <= rounds; round++) fill(array, first_word(cpu, round));
    unsigned wrong = 0;
    for (unsigned i = 0; i < words; i++) wrong += array[i] != first_word(cpu, rounds) + i;
    wrong_words[cpu] = wrong;
}

int main(void) {
    words = arg_unsigned("words", 4096);
    rounds = arg_unsigned("rounds", 40);
    if (words == 0 || rounds == 0) panic("words and rounds must be at least 1");
    arrays = malloc(processors() * words * sizeof(unsigned));
    if (arrays == NULL) panic("no memory for %u arrays of %u words", processors(), words);
    uint32_t start_us = clock_us();
    run_on_all(run, NULL);
    report("elapsed_us", clock_us() - start_us);
    report("stores", (uint64_t)processors() * words * rounds);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        if (wrong_words[cpu] != 0) {
            printf("processor %u read %u wrong words\n", cpu, wrong_words[cpu]);
            return 1;
        }
    return 0;
}
