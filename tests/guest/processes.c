// SPDX-License-Identifier: MIT

// Processes: creation, exit status, wait, yield, sleep and wake, and bad arguments of every system
// call. The run ends when main returns, although a process still computes.

#include "process.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "test.h"

extern char symsim_kernel_data[];  // boot/guest.ld: the first variable of the kernel

static volatile unsigned seen, word, turn;

static void returns(void* argument) {
    seen = (unsigned)argument;
}

static void exits(void* argument) {
    process_exit((int)argument);
}

static void creation(void) {
    int first = process_spawn(returns, (void*)77, ANY_PROCESSOR);
    CHECK_EQUAL(process_wait(first), 0);
    CHECK_EQUAL(seen, 77);
    int second = process_spawn(exits, (void*)-5, (int)processors() - 1);
    CHECK_EQUAL(second, first + 1);
    CHECK_EQUAL(process_wait(second), (uint64_t)-5);
    CHECK_EQUAL(process_wait(second), (uint64_t)-5);  // again: it stays known
}

static void sleeper(void* unused) {
    (void)unused;
    seen = 1;
    while (word == 0) process_sleep(&word, 0);
    process_exit((int)word);
}

static void sleep_and_wake(void) {
    word = 3;
    CHECK(!process_sleep(&word, 2));  // woken between its check and its sleep
    CHECK_EQUAL(process_wake(&word, 10), 0);
    word = 0;
    int sleepers[3];
    for (unsigned i = 0; i < 3; i++) sleepers[i] = process_spawn(sleeper, NULL, ANY_PROCESSOR);
    unsigned woken = 0;
    while (woken < 2) {
        woken += process_wake(&word, 2 - woken);  // they find the word unchanged and sleep again
        process_yield();
    }
    word = 9;
    while (process_wake(&word, 1) != 0) {
    }
    for (unsigned i = 0; i < 3; i++) CHECK_EQUAL(process_wait(sleepers[i]), 9);
}

static void alternate(void* argument) {
    const unsigned own = (unsigned)argument;
    for (unsigned i = 0; i < 20; i++) {
        while (turn % 2 != own) process_yield();
        turn++;
    }
}

static void yielding(void) {
    int even = process_spawn(alternate, (void*)0, 0);
    int odd = process_spawn(alternate, (void*)1, 0);
    process_wait(even);
    process_wait(odd);
    CHECK_EQUAL(turn, 40);
}

static void not_called(void* unused) {
    (void)unused;
    panic("a process that must not exist");
}

static void bad_arguments(void) {
    CHECK_EQUAL(process_spawn(not_called, NULL, (int)processors()), (uint64_t)-1);
    CHECK_EQUAL(process_spawn(not_called, NULL, -2), (uint64_t)-1);
    CHECK_EQUAL(process_wait(-1), (uint64_t)-1);
    CHECK_EQUAL(process_wait(MAX_PROCESSES), (uint64_t)-1);
    CHECK_EQUAL(process_wait(MAX_PROCESSES - 1), (uint64_t)-1);  // not created
    CHECK_EQUAL(process_wait(process_self()), (uint64_t)-1);
    int nowhere = process_spawn(NULL, NULL, ANY_PROCESSOR);
    CHECK_EQUAL(process_wait(nowhere), PROCESS_FAULTED);

    const uintptr_t bad[] = {0,
                             (uintptr_t)symsim_kernel_data,
                             (uintptr_t)&word + 1,
                             0x70000000,
                             POWER_OFF,
                             0xfffffffc,
                             0xC8000800};  // beside the registers of the board
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!process_sleep((volatile unsigned*)bad[i], 0));
        CHECK_EQUAL(process_wake((volatile unsigned*)bad[i], 1), 0);
        CHECK_EQUAL(system_call(CALL_WRITE, CONSOLE_BYTE, bad[i], 4) == 0,
                    bad[i] == (uintptr_t)&word + 1);
    }
    CHECK_EQUAL(process_wake(&word, 0), 0);
    CHECK_EQUAL(system_call(CALL_WRITE, POWER_OFF, (uintptr_t)&word, 4), (uint32_t)-1);
    CHECK_EQUAL(system_call(CALL_WRITE, CONSOLE_BYTE, (uintptr_t)&word, 0xffffffff), (uint32_t)-1);
    CHECK_EQUAL(system_call(CALL_WRITE, CONSOLE_BYTE, 0x200000, 0x100000), (uint32_t)-1);  // long
    CHECK_EQUAL(system_call(CALLS, 0, 0, 0), (uint32_t)-1);
    CHECK_EQUAL(system_call((uint32_t)-1, 0, 0, 0), (uint32_t)-1);
}

static void for_ever(void* unused) {
    (void)unused;
    for (;;) {
    }
}

int main(void) {
    CHECK_EQUAL(process_self(), 0);
    CHECK(process_block() == &context_blocks[0]);
    creation();
    sleep_and_wake();
    yielding();
    word = 0;
    bad_arguments();
    process_spawn(for_ever, NULL, ANY_PROCESSOR);
    process_yield();
    return 7;
}
