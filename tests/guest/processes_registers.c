// SPDX-License-Identifier: MIT

// A process's registers survive preemption: general, flags, fs, gs, and all of the 80387.

#include "process.h"
#include "test.h"

// Loads each register with a value of its own, waits, and compares.
static void integers(unsigned value, unsigned turns) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < turns; i++) {
        unsigned own = value + i, different;
        __asm__ volatile(
            "pushl %%ebp\n\t"
            "movl %1, %%ebx; leal 1(%1), %%ecx; leal 2(%1), %%edx; leal 3(%1), %%esi\n\t"
            "leal 4(%1), %%edi; leal 5(%1), %%ebp; std; stc\n\t"
            "movl $300, %%eax\n\t"
            "1: leal -1(%%eax), %%eax\n\t"
            "pushfl; testl $0x400, (%%esp); jz 9f; popfl; jnc 8f\n\t"
            "pushfl; testl %%eax, %%eax; jz 2f; popfl; jmp 1b\n"
            "2: popfl; cld\n\t"
            "subl %%ebx, %%ecx; subl %%ebx, %%edx; subl %%ebx, %%esi; subl %%ebx, %%edi\n\t"
            "subl %%ebx, %%ebp\n\t"
            "cmpl $1, %%ecx; jne 8f; cmpl $2, %%edx; jne 8f; cmpl $3, %%esi; jne 8f\n\t"
            "cmpl $4, %%edi; jne 8f; cmpl $5, %%ebp; jne 8f\n\t"
            "xorl %%eax, %%eax; jmp 7f\n"
            "9: popfl\n"
            "8: movl $1, %%eax\n"
            "7: cld; popl %%ebp"
            : "=&a"(different), "+r"(own)
            :
            : "ebx", "ecx", "edx", "esi", "edi", "memory", "cc");
        wrong += different;
    }
    CHECK_EQUAL(wrong, 0);
}

static void segments(unsigned value) {
    const unsigned fs = value % 2 ? 0x23 : 0, gs = value % 3 ? 0x23 : 0;
    __asm__ volatile("movl %0, %%fs; movl %1, %%gs" : : "r"(fs), "r"(gs));
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 2000) {
        unsigned fs_now, gs_now;
        __asm__ volatile("movl %%fs, %0; movl %%gs, %1" : "=r"(fs_now), "=r"(gs_now));
        CHECK_EQUAL(fs_now & 0xffff, fs);
        CHECK_EQUAL(gs_now & 0xffff, gs);
    }
}

struct fpu {
    uint32_t words[27];
};

// All eight registers, the control word and the status word's condition codes.
static void fpu(unsigned value) {
    uint16_t control = value % 3 == 0 ? 0 : value % 3 == 1 ? 0x37f : 0x27f;
    // 0 unmasks the exceptions, none of which occurs here
    unsigned integer = value * 1001;
    __asm__ volatile("fninit; fldcw %0" : : "m"(control));
    for (unsigned i = 0; i < 8; i++, integer += 7) __asm__ volatile("fildl %0" : : "m"(integer));
    struct fpu before, now;
    __asm__ volatile("fnsave %0; fwait; frstor %0" : "=m"(before));
    const uint32_t begin = clock_us();
    do {
        __asm__ volatile("fnsave %0; fwait; frstor %0" : "=m"(now));
        for (unsigned i = 0; i < 27; i++)
            if (i < 3 || i > 6) CHECK_EQUAL(now.words[i], before.words[i]);  // 3 .. 6: where
    } while (clock_us() - begin < 3000);
    for (unsigned i = 8; i-- > 0;) {
        integer -= 7;
        unsigned found;
        __asm__ volatile("fistpl %0; fwait" : "=m"(found));
        CHECK_EQUAL(found, integer);
    }
    __asm__ volatile("fninit");
}

static void work(void* argument) {
    const unsigned value = (unsigned)argument;
    integers(value * 0x10001, 40);
    segments(value);
    if (value % 4 != 3) fpu(value);  // some do not use it
    integers(value * 0x10001, 20);
}

// Sees the 80387 as if it had never been used.
static void fresh(void* unused) {
    (void)unused;
    uint16_t control, status;
    __asm__ volatile("fnstcw %0; fnstsw %1" : "=m"(control), "=m"(status));
    CHECK_EQUAL(control & 0xf3f, 0x33f);
    CHECK_EQUAL(status & 0x3800, 0);
}

int main(void) {
    int number[8];
    for (unsigned i = 0; i < 8; i++) number[i] = process_spawn(work, (void*)i, ANY_PROCESSOR);
    CHECK_EQUAL(process_wait(process_spawn(fresh, NULL, 0)), 0);
    for (unsigned i = 0; i < 8; i++) CHECK_EQUAL(process_wait(number[i]), 0);
    CHECK_EQUAL(process_wait(process_spawn(fresh, NULL, 0)), 0);
    return 0;
}
