// SPDX-License-Identifier: MIT

// The work of tables.c as programs under an operating system do it: paging is on, the work runs in
// ring 3 on a stack of its own, and a timer interrupts it.
//
// Arguments   those of tables.h, and
//             hz          timer interrupts of each processor per second; default 100
// Results     those of tables.h, and ticks: interrupts of all processors
// Checks      those of tables.h, and the number of interrupts of each processor must fit its
//             time, within two
//
// All pages are present from the start. Those of image and tables are accessible to ring 3.

#include "paging.h"
#include "slic.h"
#include "tables.h"

#define IMAGE_BEGIN 0x100000u  // boot/guest.ld
extern char symsim_image_end[];

static struct space* space;
static unsigned hz;

static struct {
    LINE_ALIGNED volatile unsigned ticks;
    uint32_t timed_us;  // how long the timer ran
    char stack[PAGE_BYTES];
} users[MAX_PROCESSORS];

static void tick(struct trap_frame* frame) {
    (void)frame;
    users[processor()].ticks++;
}

static uint32_t run_timed(unsigned cpu) {
    uint32_t begin_us = clock_us();
    slic_mask(1 << SLIC_CLOCK_BIN);
    slic_timer(hz);
    interrupts_on();  // stay on in ring 3
    uint32_t wrong =
        run_user(table_work, (uintptr_t)&tables[cpu], users[cpu].stack + sizeof users[cpu].stack);
    interrupts_off();
    slic_timer(0);
    slic_mask(0);
    users[cpu].timed_us = clock_us() - begin_us;
    return wrong;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    descriptors_load();
    use_space(space);
    table_setup(&tables[cpu], cpu);
    table_check(cpu, run_timed(cpu));
}

static bool ticks_are_right(void) {
    unsigned ticks = 0;
    for (unsigned cpu = 0; cpu < processors(); cpu++) {
        unsigned expected = (uint64_t)users[cpu].timed_us * hz / 1000000;
        unsigned counted = users[cpu].ticks;
        ticks += counted;
        if (counted + 2 < expected || counted > expected + 2) {
            printf("processor %u had %u interrupts, not %u\n", cpu, counted, expected);
            return false;
        }
    }
    report("ticks", ticks);
    return true;
}

int main(void) {
    hz = arg_unsigned("hz", 100);
    tables_setup();
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick);
    space = space_create();
    unsigned* numbers_end = tables[processors() - 1].numbers + tables[0].count;
    protect_pages(space, IMAGE_BEGIN, (uintptr_t)symsim_image_end, PAGE_USER | PAGE_WRITABLE);
    protect_pages(space, (uintptr_t)tables[0].numbers, (uintptr_t)numbers_end,
                  PAGE_USER | PAGE_WRITABLE);
    run_on_all(run, NULL);
    int status = tables_finish();
    return ticks_are_right() ? status : 1;
}
