// SPDX-License-Identifier: MIT

// The performance monitors and the topology registers, on a machine of one node with write-through
// caches: each processor makes a known number of misses and stores, and its counters say so. The
// monitor's own accesses count nothing.
//
// Each measured piece runs once before, on other lines, so that its code is in the cache. Between
// two reads of a counter a piece loads and stores nothing else than its lines.

#include "monitor.h"

#include "test.h"
#include "topology.h"

#define LINES 64
#define NOWHERE ((const void*)0x7FFFF000)  // no machine has so much memory

struct lines {
    LINE_ALIGNED volatile char bytes[LINES * LINE_BYTES];
};
static struct lines fresh[MAX_PROCESSORS], stored[MAX_PROCESSORS], shared;
static struct { LINE_ALIGNED volatile unsigned char byte; } warm[MAX_PROCESSORS];

typedef uint32_t counter(void);

static inline __attribute__((always_inline)) uint32_t reads(counter* count, volatile char* at,
                                                            unsigned lines) {
    uint32_t before = count();
    for (unsigned i = 0; i < lines; i++) (void)at[i * LINE_BYTES];
    return count() - before;
}
static inline __attribute__((always_inline)) uint32_t stores(counter* count, volatile char* at,
                                                             unsigned lines) {
    uint32_t before = count();
    for (unsigned i = 0; i < lines; i++) at[i * LINE_BYTES] = 1;
    return count() - before;
}
static inline __attribute__((always_inline)) uint32_t exchanges(counter* count,
                                                                volatile unsigned char* byte,
                                                                unsigned number) {
    uint32_t before = count();
    for (unsigned i = 0; i < number; i++) exchange_byte(byte, 1);
    return count() - before;
}

// One copy of the code for each counter.
static __attribute__((noinline)) uint32_t misses_of_reads(volatile char* at, unsigned lines) {
    return reads(monitor_cache_misses, at, lines);
}
static __attribute__((noinline)) uint32_t far_misses_of_reads(volatile char* at, unsigned lines) {
    return reads(monitor_far_misses, at, lines);
}
static __attribute__((noinline)) uint32_t stores_of_reads(volatile char* at, unsigned lines) {
    return reads(monitor_stores, at, lines);
}
static __attribute__((noinline)) uint32_t wait_of_reads(volatile char* at, unsigned lines) {
    return reads(monitor_waited_ns, at, lines);
}
static __attribute__((noinline)) uint32_t misses_of_stores(volatile char* at, unsigned lines) {
    return stores(monitor_cache_misses, at, lines);
}
static __attribute__((noinline)) uint32_t stores_of_stores(volatile char* at, unsigned lines) {
    return stores(monitor_stores, at, lines);
}
static __attribute__((noinline)) uint32_t misses_of_exchanges(volatile unsigned char* byte,
                                                              unsigned number) {
    return exchanges(monitor_cache_misses, byte, number);
}
static __attribute__((noinline)) uint32_t stores_of_exchanges(volatile unsigned char* byte,
                                                              unsigned number) {
    return exchanges(monitor_stores, byte, number);
}

static void count(unsigned cpu, void* unused) {
    (void)unused;
    volatile char* line = (volatile char*)&warm[cpu].byte;
    volatile char* mine = fresh[cpu].bytes;

    misses_of_reads(line, 1);
    CHECK_EQUAL(misses_of_reads(mine, LINES), LINES);
    CHECK_EQUAL(misses_of_reads(mine, LINES), 0);
    far_misses_of_reads(line, 1);
    CHECK_EQUAL(far_misses_of_reads(stored[cpu].bytes, LINES), 0);
    stores_of_reads(line, 1);
    CHECK_EQUAL(stores_of_reads(mine, LINES), 0);

    stores_of_stores(line, 1);
    CHECK_EQUAL(stores_of_stores(stored[cpu].bytes, LINES), LINES);
    misses_of_stores(line, 1);
    CHECK_EQUAL(misses_of_stores(stored[cpu].bytes, LINES), 0);

    // Each exchange brings the line and stores, whether it has the line or not.
    misses_of_exchanges(&warm[cpu].byte, 1);
    CHECK_EQUAL(misses_of_exchanges(&warm[cpu].byte, 9), 9);
    stores_of_exchanges(&warm[cpu].byte, 1);
    CHECK_EQUAL(stores_of_exchanges(&warm[cpu].byte, 9), 9);
}

// Lines come by loads and leave when another processor stores to them. The monitor sees those of
// this processor only.
static void resident(unsigned cpu, void* unused) {
    (void)unused;
    static struct lines some;
    CHECK_EQUAL(monitor_lines_of(&some, sizeof some), 0);
    barrier();
    for (unsigned i = 0; i <= cpu; i++) (void)some.bytes[i * LINE_BYTES];
    CHECK_EQUAL(monitor_lines_of(&some, sizeof some), cpu + 1);
    CHECK_EQUAL(monitor_lines_of((const char*)&some + cpu * LINE_BYTES, sizeof some), 1);
    barrier();
    if (cpu == 0) some.bytes[0] = 1;
    barrier();
    CHECK_EQUAL(monitor_lines_of(&some, sizeof some), cpu == 0 ? 1 : cpu);
}

// Processor 0 stores to the lines that all have read. The others miss again, and processor 0 keeps
// its copies.
static void invalidate(unsigned cpu, void* unused) {
    (void)unused;
    misses_of_reads(shared.bytes, LINES);
    barrier();
    if (cpu == 0) stores_of_stores(shared.bytes, LINES);
    barrier();
    CHECK_EQUAL(misses_of_reads(shared.bytes, LINES), cpu == 0 ? 0 : LINES);
}

// A miss takes 8 cycles of the bus from the edge that sees it, 0.8 us, and longer if others use the
// bus. Hits take no time on it. A processor's misses follow each other, so the sum of their waits
// is not more than the time that has passed.
static void wait(unsigned cpu, void* again) {
    (void)again;
    volatile char* lines = shared.bytes;
    if (cpu == 0) stores_of_stores(lines, LINES);
    barrier();
    wait_of_reads((volatile char*)&warm[cpu].byte, 1);
    uint32_t begin = clock_us();
    uint32_t waited = wait_of_reads(lines, cpu == 0 ? 0 : LINES);
    uint32_t us = clock_us() - begin;
    CHECK(cpu == 0 ? waited == 0 : waited >= LINES * 800 && waited <= 1000 * (us + 1));
    CHECK_EQUAL(wait_of_reads(lines, LINES), 0);
}

static uint32_t us_of_reads(uintptr_t address) {
    uint32_t begin = clock_us();
    for (unsigned i = 0; i < 100; i++) read_register(address);
    return clock_us() - begin;
}

// 100 reads take 100 us longer than those of a register that costs nothing.
static void price(unsigned cpu, void* unused) {
    (void)cpu, (void)unused;
    us_of_reads(BOARD_PROCESSOR);
    uint32_t us = us_of_reads(MONITOR_STORES) - us_of_reads(BOARD_PROCESSOR);
    CHECK(us >= 99 && us <= 101);
}

static void places(unsigned cpu, void* unused) {
    (void)unused;
    CHECK_EQUAL(topology_nodes(), 1);
    CHECK_EQUAL(topology_processors_per_node(), processors());
    CHECK_EQUAL(topology_node(cpu), 0);
    CHECK_EQUAL(monitor_node_of(&shared), 0);
    CHECK_EQUAL(monitor_node_of(NOWHERE), MONITOR_NO_NODE);
    CHECK_EQUAL(monitor_node_of(0), 0);
}

int main(void) {
    run_on_all(count, NULL);
    run_on_all(resident, NULL);
    run_on_all(invalidate, NULL);
    run_on_all(wait, NULL);
    run_on_all(price, NULL);
    run_on_all(places, NULL);
    return 0;
}
