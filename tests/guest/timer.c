// SPDX-License-Identifier: MIT

// The timer of each processor: it wakes a processor from hlt and interrupts an endless loop, at
// 100 Hz and at higher rates, and its periods do not drift. Argument: hz, default 100.

#include "cpu.h"
#include "slic.h"
#include "test.h"

#define TICKS 6

static struct {
    LINE_ALIGNED volatile unsigned ticks;
    volatile uint32_t at[TICKS + 1];
    volatile uintptr_t eip;
    volatile unsigned leave;
} per[MAX_PROCESSORS];

static void tick(struct trap_frame* frame) {
    unsigned cpu = processor();
    CHECK_EQUAL(frame->vector, SLIC_VECTORS + SLIC_CLOCK_BIN);
    CHECK(frame->flags & FLAG_INTERRUPT);
    if (per[cpu].ticks <= TICKS) per[cpu].at[per[cpu].ticks] = clock_us();
    per[cpu].ticks++;
    per[cpu].eip = frame->eip;
    if (per[cpu].leave) frame->ecx = 1;  // ends the loop in preempted()
}

static void check_periods(unsigned cpu, unsigned period_us) {
    // Entry and handler take some 10 us, more when all processors need the bus for theirs.
    uint32_t slack = 50 + 20 * processors(), first = per[cpu].at[0];
    if (slack > period_us / 2) return;
    for (unsigned i = 1; i < TICKS; i++) {
        uint32_t late = per[cpu].at[i] - first - i * period_us + slack;
        CHECK(late <= 2 * slack);
    }
}

// The processor sleeps between ticks; each tick wakes it up.
static void asleep(unsigned cpu, unsigned period_us) {
    per[cpu].ticks = 0;
    for (unsigned i = 1; i <= TICKS; i++) {
        while (per[cpu].ticks < i) sleep_until_interrupt();
        CHECK_EQUAL(per[cpu].ticks, i);
        CHECK_EQUAL(read_flags() & FLAG_INTERRUPT, 0);
    }
    check_periods(cpu, period_us);
}

// A loop without loads and stores: only the interrupt handler can end it.
static void preempted(unsigned cpu) {
    extern char loop_begin[], loop_end[];
    uint32_t turns = 0;
    per[cpu].ticks = 0;
    for (unsigned i = 1; i <= 3; i++) {
        per[cpu].leave = 1;
        __asm__ volatile(
            ".globl loop_begin, loop_end\n\t"
            "movl $2, %0\n\t"
            "sti\n\t"
            "nop\n"
            "loop_begin: cmpl $1, %0\n\t"
            "jne loop_begin\n"
            "loop_end: cli"
            : "=&c"(turns)
            :
            : "memory", "cc");
        CHECK_EQUAL(per[cpu].ticks, i);
        CHECK(per[cpu].eip >= (uintptr_t)loop_begin && per[cpu].eip < (uintptr_t)loop_end);
    }
    per[cpu].leave = 0;
}

// Ticks that arrive while interrupts are off wait; several waiting ticks count as one interrupt.
static void gathered(unsigned cpu, unsigned period_us) {
    per[cpu].ticks = 0;
    uint32_t start = clock_us();
    while (clock_us() - start < 3 * period_us) CHECK_EQUAL(per[cpu].ticks, 0);
    CHECK(slic_read(SLIC_PENDING) >> SLIC_CLOCK_BIN & 1);
    interrupts_on();
    __asm__ volatile("nop; nop");
    interrupts_off();
    CHECK_EQUAL(per[cpu].ticks, 1);
}

static void time_on(unsigned cpu, void* hz) {
    unsigned rate = *(const unsigned*)hz;
    descriptors_load();
    slic_mask(1 << SLIC_CLOCK_BIN);
    slic_timer(rate);
    asleep(cpu, 1000000 / rate);
    if (rate <= 1000) {  // at higher rates the next tick is due before one has been handled
        preempted(cpu);
        gathered(cpu, 1000000 / rate);
    }
    slic_timer(0);
    slic_mask(0);
}

int main(void) {
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick);
    unsigned rates[] = {arg_unsigned("hz", 100), 1000, 5000};
    for (unsigned i = 0; i < 3; i++) run_on_all(time_on, &rates[i]);
    return 0;
}
