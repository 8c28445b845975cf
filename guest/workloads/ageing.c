// SPDX-License-Identifier: MIT

// How the priorities of two threads age (Steckermeier & Bellosa 1995, Figures 6 and 7, claims
// MTH-23 and MTH-24): the first runs for 64 units of time, then the second for 16. The affinity
// model with which the image is built compares them from then on. Nothing runs but the model.
//
// Arguments   unit_us     default 1000
//             half_us     of the model exponential: its half-life, 4 units in the paper's figure
//             affinity    if given, must be what this image is built with
// Results     crossing_us  from the start until the first has the higher priority; 0: never
//             turns        how often the order changes in all
// Checks      one of the two is the higher, unless they are equal

#include "threads/affinity.h"

#include "image_argument.h"
#include "workload.h"

#define FIRST_STOPS 64
#define SECOND_STOPS 80
#define END 200

static struct aff_processor here;

static void run_until(struct affinity* thread, uint32_t end_us) {
    aff_thread_started(thread, &here, AFF_NEW);
    wait_until_us(end_us);
    aff_thread_stopped(thread, &here);
}

int main(void) {
    static struct affinity first, second;
    check_image_argument("affinity", AFFINITY_NAME);
    const unsigned unit_us = arg_unsigned("unit_us", 1000);
    arg_unsigned("half_us", 0);  // which the model may ask for, so that both take it
    aff_setup();
    const uint32_t start_us = board_clock_us();
    run_until(&first, start_us + FIRST_STOPS * unit_us);
    run_until(&second, start_us + SECOND_STOPS * unit_us);
    unsigned turns = 0;
    uint32_t crossing_us = 0, now_us;
    bool higher = false;  // the first, at the last look
    while ((now_us = board_clock_us() - start_us) < END * unit_us) {
        const bool is_higher = aff_greater(&first, &second, &here);
        if (is_higher && aff_greater(&second, &first, &here)) panic("each is the higher");
        if (is_higher == higher) continue;
        higher = is_higher;
        turns++;
        if (crossing_us == 0) crossing_us = now_us;
    }
    report("crossing_us", crossing_us);
    report("turns", turns);
    return 0;
}
