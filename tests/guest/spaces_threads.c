// SPDX-License-Identifier: MIT

// Kernel threads take turns, also where one does not give its processor away; their registers
// survive. Where a space cannot write, the kernel does not write for it.

#include "kernel_message.h"
#include "kernel_threads.h"
#include "registers.h"
#include "space.h"

static volatile unsigned loops;
static volatile bool done;

static void loop(void* unused) {
    (void)unused;
    while (!done) loops++;
}

static void check_registers(void* value) {
    keep_integers((unsigned)value * 0x10001, 8);
    keep_segments((unsigned)value);
    keep_fpu((unsigned)value);
}

// The other thread gets its turns. A tick during the switch to it ends a turn before its first
// instruction, so it may need a few.
#define TURNS_MOST 3
static void check_turn(void) {
    const unsigned before = loops;
    for (unsigned turn = 0; turn < TURNS_MOST && loops == before; turn++) kernel_thread_yield();
    CHECK(processors() > 1 || loops != before);
}

static void check_turns(void) {
    const kernel_thread looping = kernel_thread_fork(loop, NULL);
    CHECK(looping >= 0);
    for (unsigned i = 0; i < 3; i++) check_turn();
    kernel_thread checks[4];
    for (unsigned i = 0; i < 4; i++) checks[i] = kernel_thread_fork(check_registers, (void*)i);
    for (unsigned i = 0; i < 4; i++) CHECK(kernel_thread_join(checks[i]) == 0);
    done = true;
    CHECK(kernel_thread_join(looping) == 0);
}

static void check_buffers(void) {
    static const unsigned constant[MESSAGE_WORDS];
    const int other = 1 - space_self();
    const unsigned processors = space_info(0)->processors;
    CHECK(message_receive((unsigned*)space_info(0)) == MESSAGE_FAILED);
    CHECK(message_receive((unsigned*)constant) == MESSAGE_FAILED);
    CHECK(message_call(other, (unsigned*)space_info(0), 1) == MESSAGE_FAILED);
    CHECK(message_call(other, (unsigned*)0x100000, 1) == MESSAGE_FAILED);
    CHECK_EQUAL(space_info(0)->processors, processors);
}

int main(void) {
    check_buffers();
    check_turns();
    return 0;
}
