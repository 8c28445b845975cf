// SPDX-License-Identifier: MIT

// Exceptions, and what a process may not do: each ends only the process that does it.

#include "process.h"

#include "descriptors.h"
#include "interrupts.h"
#include "slic.h"
#include "test.h"

extern char symsim_kernel_data[], symsim_interrupt_entries[];

static volatile unsigned counter = 5, stop, beats;
static volatile uint32_t* volatile others_stack;

static void read_null(void) {
    counter = *(volatile unsigned*)4;
}
static void call_null(void) {
    ((void (*)(void))0)();
}
__attribute__((noinline)) static unsigned deeper(unsigned depth) {
    volatile unsigned room[64];
    room[0] = depth;
    return counter == 0 ? depth : deeper(depth + 1) + room[0];
}
static void overflow_stack(void) {
    deeper(0);
}
static void overflow_in_compare_and_swap(void) {
    for (;;)
        __asm__ volatile("pushl $1; pushl $0; pushl %0; call compare_and_swap"
                         :
                         : "r"(&counter)
                         : "eax", "ecx", "edx", "memory");
}
static void divide(void) {
    volatile unsigned zero = 0;
    counter = 7 / zero;
}
static void invalid(void) {
    __asm__ volatile("ud2");
}
static void halt(void) {
    __asm__ volatile("hlt");
}
static void interrupts_off_here(void) {
    __asm__ volatile("cli");
}
static void write_cr3(void) {
    __asm__ volatile("movl %0, %%cr3" : : "r"(0));
}
static void breakpoint(void) {
    __asm__ volatile("int3");
}
static void leave_ring_3(void) {
    __asm__ volatile("int %0" : : "i"(USER_RETURN));
}
static void raise_timer(void) {
    __asm__ volatile("int %0" : : "i"(SLIC_VECTORS + SLIC_CLOCK_BIN));
}
static void step_itself(void) {
    __asm__ volatile("pushfl; orl %0, (%%esp); popfl; nop; nop" : : "i"(FLAG_TRAP) : "memory");
}
static void nested_return(void) {
    __asm__ volatile("pushfl; orl %0, (%%esp); popfl; iretl" : : "i"(FLAG_NESTED) : "memory");
}
static void write_kernel(void) {
    *(volatile unsigned*)symsim_kernel_data = 1;
}
static void read_kernel(void) {
    counter = *(volatile unsigned*)symsim_kernel_data;
}
static void write_top_of_memory(void) {
    *(volatile unsigned*)0xfff000 = 1;  // the kernel's pages
}
static void write_code(void) {
    *(volatile unsigned char*)(uintptr_t)write_code = 0x90;
}
static void swap_code(void) {
    volatile unsigned* code = (volatile unsigned*)(uintptr_t)swap_code;
    compare_and_swap(code, *code, 1);
}
static void write_slic(void) {
    slic_write(SLIC_MASK, 0);
}
static void stop_timer(void) {
    slic_write(SLIC_TIMER_CONTROL, 0);
}
static void write_power_off(void) {
    *(volatile uint32_t*)POWER_OFF = 99;
}
static void jump_into_kernel(void) {
    ((void (*)(void))symsim_interrupt_entries)();
}
static void write_no_memory(void) {
    *(volatile unsigned*)0x70000000 = 1;
}
static void far_call(void) {
    __asm__ volatile("lcall %0, $0" : : "i"(KERNEL_CODE));
}
static void bad_segment(void) {
    __asm__ volatile("movl %0, %%fs" : : "r"(KERNEL_DATA));
}
static void bad_stack(void) {
    __asm__ volatile("movl $16, %esp; pushl $1");
}
static void port(void) {
    __asm__ volatile("outb %%al, $0x10" : : "a"(0));
}
static void fpu_error(void) {
    uint16_t control = 0x340;  // all exceptions unmasked
    __asm__ volatile("fldcw %0; fldz; fld1; fdivp; fwait" : : "m"(control));
}

static void (*const bad[])(void) = {
    read_null,
    call_null,
    overflow_stack,
    overflow_in_compare_and_swap,
    divide,
    invalid,
    halt,
    interrupts_off_here,
    write_cr3,
    breakpoint,
    leave_ring_3,
    raise_timer,
    step_itself,
    nested_return,
    write_kernel,
    read_kernel,
    write_code,
    swap_code,
    write_slic,
    stop_timer,
    far_call,
    jump_into_kernel,
    write_top_of_memory,
    write_no_memory,
    bad_segment,
    bad_stack,
    write_power_off,
    port,
    fpu_error,
};
#define BAD (sizeof bad / sizeof bad[0])

static void do_bad(void* which) {
    bad[(unsigned)which]();
    panic("%u had no consequence", (unsigned)which);
}

// Runs all the time, on each processor.
static void beat(void* unused) {
    (void)unused;
    while (!stop) {
        for (;;) {
            unsigned before = beats;
            if (compare_and_swap(&beats, before, before + 1)) break;
        }
    }
}

// All stacks are at the same address, so another process's cannot even be named.
static void own_stack(void* unused) {
    volatile uint32_t here = 0x1234;
    (void)unused;
    others_stack = &here;
    while (!stop) process_yield();
    CHECK_EQUAL(here, 0x1234);
}
static void write_stack(void* unused) {
    (void)unused;
    while (others_stack == NULL) process_yield();
    for (uintptr_t at = (uintptr_t)others_stack & -4096u; at < (uintptr_t)&at - 64; at += 4)
        *(volatile uint32_t*)at = 0xbad;
}

int main(void) {
    int beating[MAX_PROCESSORS];
    for (unsigned i = 0; i < processors(); i++) beating[i] = process_spawn(beat, NULL, (int)i);
    int owner = process_spawn(own_stack, NULL, ANY_PROCESSOR);
    CHECK_EQUAL(process_wait(process_spawn(write_stack, NULL, ANY_PROCESSOR)), 0);
    for (unsigned i = 0; i < BAD; i++) {
        const unsigned before = beats;
        int process = process_spawn(do_bad, (void*)i, ANY_PROCESSOR);
        if (process_wait(process) != PROCESS_FAULTED) panic("%u did not end the process", i);
        const uint32_t begin = clock_us();
        while (beats == before && clock_us() - begin < 100000) {
        }
        if (beats == before) panic("%u has stopped others", i);
    }
    stop = 1;
    for (unsigned i = 0; i < processors(); i++) CHECK_EQUAL(process_wait(beating[i]), 0);
    CHECK_EQUAL(process_wait(owner), 0);
    CHECK_EQUAL(compare_and_swap(&counter, 5, 6), true);
    report("ended", BAD);
    return 0;
}
