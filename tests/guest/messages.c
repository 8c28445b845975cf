// SPDX-License-Identifier: MIT

// Interrupts between processors: to one processor, to the one of lowest priority in a group, to
// all; NMI; masks; the order of bins; messages waiting in a bin, and refused by a full bin.

#include "cpu.h"
#include "slic.h"
#include "test.h"

#define GROUP 3
#define ROUNDS 20
#define QUEUED 300

static struct {
    LINE_ALIGNED volatile unsigned taken[SLIC_BINS];
    volatile unsigned last, order, bits, nmis;
    volatile uintptr_t eip;
} per[MAX_PROCESSORS];

static void take(struct trap_frame* frame) {
    unsigned cpu = processor(), bin = frame->vector - SLIC_VECTORS;
    per[cpu].eip = frame->eip;
    per[cpu].order = per[cpu].order << 4 | (bin + 1);
    if (bin == 0)
        per[cpu].bits |= slic_software_bits();
    else
        per[cpu].last = slic_message();
    per[cpu].taken[bin]++;
}

static void take_nmi(struct trap_frame* frame) {
    (void)frame;
    per[processor()].nmis++;
}

static void wait_for_count(volatile unsigned* count, unsigned value) {
    while (*count < value) sleep_until_interrupt();
}

static void sleep_us(uint32_t us) {
    uint32_t start = clock_us();
    while (clock_us() - start < us) {
    }
}

static void let_in(void) {
    interrupts_on();
    __asm__ volatile("nop; nop");
    interrupts_off();
}

// A byte is passed round all processors.
static void ping_pong(unsigned cpu, void* unused) {
    (void)unused;
    unsigned next = (cpu + 1) % processors();
    slic_mask(1 << 1);
    barrier();
    if (cpu == 0) CHECK(slic_send(next, 1, 0));
    for (unsigned i = 1; i <= ROUNDS; i++) {
        wait_for_count(&per[cpu].taken[1], i);
        unsigned hops = (i - 1) * processors() + (cpu + processors() - 1) % processors();
        CHECK_EQUAL(per[cpu].last, hops % 256);
        if (!(cpu == 0 && i == ROUNDS)) CHECK(slic_send(next, 1, per[cpu].last + 1));
    }
    barrier();
}

// Every processor sends to all; each receives one message from each sender.
static void to_all(unsigned cpu, void* unused) {
    (void)unused;
    slic_mask(1 << 2);
    sleep_us(2);
    barrier();
    unsigned before = per[cpu].taken[2];
    CHECK(slic_send(SLIC_ALL, 2, cpu));
    wait_for_count(&per[cpu].taken[2], before + processors());
    CHECK_EQUAL(per[cpu].taken[2], before + processors());
    barrier();
}

// The group contains all processors except the last. A message to it goes to the member with the
// lowest priority; among members of equal priority, to the lowest processor number.
static void join(unsigned cpu, void* unused) {
    (void)unused;
    per[cpu].last = 1;
    slic_mask(1 << 3);
    slic_join_groups(cpu + 1 < processors() || cpu == 0 ? 1 << GROUP : 0);
    slic_priority((cpu * 7 + 5) % 11 + 1);
    barrier();
    if (cpu == 0) {
        unsigned best = 0;
        for (unsigned i = 1; i + 1 < processors(); i++)
            if ((i * 7 + 5) % 11 < (best * 7 + 5) % 11) best = i;
        for (unsigned i = 1; i <= 3; i++) {
            CHECK(slic_send(SLIC_GROUP + GROUP, 3, i));
            let_in();
            while (per[best].taken[3] < i) let_in();
        }
        for (unsigned i = 0; i < processors(); i++) CHECK_EQUAL(per[i].taken[3], i == best ? 3 : 0);
        CHECK(!slic_send(SLIC_GROUP + GROUP + 1, 3, 0));  // a group without members
        CHECK(!slic_send(processors(), 3, 0));            // no such processor
        slic_send(SLIC_ALL, 3, 0);
    }
    while (per[cpu].last != 0 || per[cpu].taken[3] == 0) sleep_until_interrupt();
    barrier();
    slic_join_groups(0);
    per[cpu].taken[3] = 0;
}

// An NMI arrives despite the interrupt flag and the mask, and wakes a halted processor.
static void nmis(unsigned cpu, void* unused) {
    (void)unused;
    unsigned target = processors() - 1;
    slic_mask(0);
    sleep_us(1);
    barrier();
    if (cpu == 0) {
        for (unsigned i = 1; i <= 3; i++) {
            CHECK(slic_send_nmi(target));
            while (per[target].nmis < i) {
            }
        }
    } else if (cpu == target) {
        while (per[cpu].nmis < 3) __asm__ volatile("hlt" : : : "memory");
    }
    barrier();
    CHECK_EQUAL(per[cpu].nmis, cpu == target ? 3 : 0);
}

// Messages of a processor to itself: which wait, in which order they arrive, and the mask's delay.
static void waiting(unsigned cpu, void* unused) {
    (void)unused;
    slic_mask(0);
    sleep_us(1);
    for (unsigned bin = 0; bin < SLIC_BINS; bin++) per[cpu].taken[bin] = 0;
    per[cpu].bits = 0;
    CHECK(slic_send(cpu, 4, 44));
    CHECK(slic_send(cpu, 0, 0x40));
    CHECK(slic_send(cpu, 6, 66));
    CHECK(slic_send(cpu, 0, 0x81));
    CHECK(slic_send(cpu, 4, 45));
    CHECK_EQUAL(slic_read(SLIC_PENDING), 1 << 6 | 1 << 4 | 1);
    let_in();
    CHECK_EQUAL(per[cpu].taken[4], 0);
    slic_mask(1 << 4);
    sleep_us(2);
    CHECK_EQUAL(slic_read(SLIC_MASK), 1 << 4);
    per[cpu].order = 0;
    let_in();
    CHECK_EQUAL(per[cpu].taken[4], 2);
    CHECK_EQUAL(per[cpu].last, 45);
    slic_mask(0xff);
    sleep_us(2);
    let_in();
    CHECK_EQUAL(per[cpu].order, 0x5571);  // bin 4 twice, then 6, then 0
    CHECK_EQUAL(per[cpu].bits, 0xc1);
    CHECK_EQUAL(slic_read(SLIC_PENDING), 0);

    // A mask takes effect after 500 ns, 8 clocks: one or two nops of 3 clocks are executed between
    // the store and the waiting interrupt. In the first round the code must be fetched.
    extern char mask_open[];
    for (unsigned round = 0; round < 2; round++) {
        slic_mask(0);
        sleep_us(2);
        slic_send(cpu, 5, 1);
        __asm__ volatile(
            "sti; nop\n\t"
            "movl %1, %0\n"
            ".globl mask_open\n"
            "mask_open: nop; nop; nop; nop; nop; nop; nop; nop; cli"
            : "=m"(*(volatile uint32_t*)(SLIC_REGISTERS + SLIC_MASK))
            : "i"(1 << 5)
            : "memory");
        CHECK_EQUAL(per[cpu].taken[5], round + 1);
    }
    CHECK(per[cpu].eip - (uintptr_t)mask_open - 1 <= 2);
}

// A bin has room for 256 messages.
static void full(unsigned cpu, void* unused) {
    (void)unused;
    slic_mask(0);
    sleep_us(1);
    if (cpu == 0) {
        unsigned refused = 0;
        for (unsigned i = 0; i < QUEUED; i++) refused += !slic_send(0, 1, i);
        CHECK_EQUAL(refused, QUEUED - SLIC_BIN_DEPTH);
        per[0].taken[1] = 0;
        slic_mask(1 << 1);
        while (per[0].taken[1] < SLIC_BIN_DEPTH) sleep_until_interrupt();
        CHECK_EQUAL(per[0].last, SLIC_BIN_DEPTH - 1);
        CHECK_EQUAL(slic_read(SLIC_PENDING), 0);
    }
}

static void load(unsigned cpu, void* unused) {
    (void)cpu;
    (void)unused;
    descriptors_load();
}

int main(void) {
    for (unsigned bin = 0; bin < SLIC_BINS; bin++) on_interrupt(SLIC_VECTORS + bin, take);
    on_interrupt(NON_MASKABLE, take_nmi);
    run_on_all(load, NULL);
    run_on_all(ping_pong, NULL);
    run_on_all(to_all, NULL);
    run_on_all(join, NULL);
    run_on_all(nmis, NULL);
    run_on_all(waiting, NULL);
    run_on_all(full, NULL);
    return 0;
}
