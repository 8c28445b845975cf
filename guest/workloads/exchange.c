// SPDX-License-Identifier: MIT

// What an xchgb that does not change the value does to other caches (claim ALL-42). The word is 1.
// Repeatedly, processor 0 exchanges it with 1, or only reads it; then the others read it. All act
// at clock times, so that nothing else is on the bus.
//
// Arguments   access  by processor 0: "exchange" or "read"; default "exchange"
//             rounds  default 100
// Results     rounds
// Counts      in summary.json: with "exchange" each round must have one locked store, and one read
//             miss of each other processor more than with "read"

#include "string.h"
#include "workload.h"

#define START_DELAY_US 1000  // by then all have begun
#define STEP_US 10           // longer than an access takes

static struct { LINE_ALIGNED volatile unsigned char value; } word = {1};

static unsigned rounds;
static uint32_t start_us;
static bool exchange;

static void run(unsigned cpu, void* unused) {
    (void)unused;
    unsigned round_us = STEP_US * processors();
    uint32_t turn_us = start_us + STEP_US * cpu;
    for (unsigned i = 0; i < rounds; i++, turn_us += round_us) {
        wait_until_us(turn_us);
        if (cpu == 0 && exchange)
            exchange_byte(&word.value, 1);
        else
            (void)word.value;
    }
}

int main(void) {
    rounds = arg_unsigned("rounds", 100);
    exchange = strcmp(arg_string("access", "exchange"), "exchange") == 0;
    start_us = board_clock_us() + START_DELAY_US;
    run_on_all(run, NULL);
    report("rounds", rounds);
    return word.value == 1 ? 0 : 1;
}
