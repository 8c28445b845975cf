// SPDX-License-Identifier: MIT

// When a pending interrupt is taken: not before the instruction after sti or a load of ss has been
// executed, immediately after popf and iret, and between the elements of a repeated string
// instruction, which afterwards resumes where it was.

#include "cpu.h"
#include "slic.h"
#include "test.h"

#define WORDS 4096

static volatile unsigned taken;
static volatile uintptr_t taken_at;

static void take(struct trap_frame* frame) {
    taken++;
    taken_at = frame->eip;
}

// Sends one interrupt to this processor; it stays pending.
static void send_one(void) {
    interrupts_off();
    taken = 0;
    CHECK(slic_send(processor(), 1, 0));
}

#define TAKEN_AT(label)                          \
    do {                                         \
        extern char label[];                     \
        CHECK_EQUAL(taken, 1);                   \
        CHECK_EQUAL(taken_at, (uintptr_t)label); \
    } while (0)

static void behind_sti(void) {
    send_one();
    __asm__ volatile(
        ".globl sti_0\n"
        "sti; nop\n"
        "sti_0: nop; cli"
        :
        :
        : "memory");
    TAKEN_AT(sti_0);
    send_one();
    __asm__ volatile("sti; cli; nop; nop" : : : "memory");
    CHECK_EQUAL(taken, 0);
    // A second sti right after the first delays nothing: interrupts are on already. A hlt after sti
    // is interrupted too.
    __asm__ volatile(
        ".globl sti_1\n"
        "sti; sti\n"
        "sti_1: nop; cli"
        :
        :
        : "memory");
    TAKEN_AT(sti_1);
    send_one();
    __asm__ volatile(
        ".globl sti_2\n"
        "sti; hlt\n"
        "sti_2: cli"
        :
        :
        : "memory");
    TAKEN_AT(sti_2);
}

static void behind_stack_loads(void) {
    send_one();
    __asm__ volatile(
        ".globl ss_0\n"
        "sti; movl %0, %%ss; nop\n"
        "ss_0: nop; cli"
        :
        : "r"(KERNEL_DATA)
        : "memory");
    TAKEN_AT(ss_0);
    send_one();
    __asm__ volatile(
        ".globl ss_1\n"
        "pushl %0; sti; popl %%ss; nop\n"
        "ss_1: nop; cli"
        :
        : "r"(KERNEL_DATA)
        : "memory");
    TAKEN_AT(ss_1);
    send_one();
    __asm__ volatile(
        ".globl ds_0\n"
        "sti; movl %0, %%ds\n"
        "ds_0: nop; nop; cli"
        :
        : "r"(KERNEL_DATA)
        : "memory");
    TAKEN_AT(ds_0);
}

static void behind_popf(void) {
    send_one();
    __asm__ volatile(
        ".globl popf_0, iret_0\n"
        "pushfl; orl $0x200, (%%esp); popfl\n"
        "popf_0: nop; cli"
        :
        :
        : "memory", "cc");
    TAKEN_AT(popf_0);
    send_one();
    __asm__ volatile(
        "pushfl; orl $0x200, (%%esp); pushl %%cs; pushl $iret_0; iretl\n"
        "iret_0: nop; cli"
        :
        :
        : "memory", "cc");
    TAKEN_AT(iret_0);
}

// --- in string instructions

static volatile unsigned inside, ticks;
static volatile uint32_t left, least = ~0u;

static void tick(struct trap_frame* frame) {
    extern char rep_0[], rep_1[];
    ticks++;
    if (frame->eip >= (uintptr_t)rep_1 || frame->eip < (uintptr_t)rep_0) return;
    CHECK_EQUAL(frame->eip, (uintptr_t)rep_0);
    inside++;
    left = frame->ecx;
    CHECK(left < least && left > 0);
    least = left;
}

static void in_strings(void) {
    static uint32_t from[WORDS], to[WORDS];
    for (unsigned i = 0; i < WORDS; i++) from[i] = i * 2654435761u;
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick);
    slic_mask(1 << 1 | 1 << SLIC_CLOCK_BIN);
    slic_timer(5000);
    const uint32_t* source = from;
    uint32_t* target = to;
    unsigned count = WORDS;
    __asm__ volatile(
        ".globl rep_0, rep_1\n"
        "sti; nop\n"
        "rep_0: rep movsl\n"
        "rep_1: cli"
        : "+S"(source), "+D"(target), "+c"(count)
        :
        : "memory");
    slic_timer(0);
    // Each element is a store: 4096 of them take well over 2 ms.
    CHECK(inside >= 5);
    CHECK(count == 0 && source == from + WORDS && target == to + WORDS);
    for (unsigned i = 0; i < WORDS; i++) CHECK_EQUAL(to[i], i * 2654435761u);
}

int main(void) {
    descriptors_load();
    on_interrupt(SLIC_VECTORS + 1, take);
    slic_mask(1 << 1);
    for (uint32_t start = clock_us(); clock_us() - start < 2;) {
    }
    behind_sti();
    behind_stack_loads();
    behind_popf();
    in_strings();
    return 0;
}
