// SPDX-License-Identifier: MIT
#pragma once

// For tests of preemption: each function loads registers, waits until the program has been
// preempted some times, and compares.

#include "test.h"

// Loads each register with a value of its own, waits, and compares.
static void keep_integers(unsigned value, unsigned turns) {
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

static void keep_segments(unsigned value) {
    const unsigned fs = value % 2 ? 0x23 : 0, gs = value % 3 ? 0x23 : 0;
    unsigned fs_before, gs_before;
    __asm__ volatile("movl %%fs, %0; movl %%gs, %1" : "=r"(fs_before), "=r"(gs_before));
    __asm__ volatile("movl %0, %%fs; movl %1, %%gs" : : "r"(fs), "r"(gs));
    unsigned wrong = 0;
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 2000) {
        unsigned fs_now, gs_now;
        __asm__ volatile("movl %%fs, %0; movl %%gs, %1" : "=r"(fs_now), "=r"(gs_now));
        wrong |= ((fs_now ^ fs) | (gs_now ^ gs)) & 0xffff;
    }
    __asm__ volatile("movl %0, %%fs; movl %1, %%gs" : : "r"(fs_before), "r"(gs_before));
    CHECK_EQUAL(wrong, 0);
}

struct fpu {
    uint32_t words[27];
};

// All eight registers, the control word and the status word's condition codes.
static void keep_fpu(unsigned value) {
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
