// SPDX-License-Identifier: MIT
//
// Unmasked exceptions of the 80387: SIGFPE, with the state in the handler's frame, as Free Pascal
// and programs with feenableexcept() use it.

#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static sigjmp_buf out;
static volatile int code, resumed;
static volatile double zero = 0, one = 1, big = 1e300, small = 1e-300;

static void set_control(uint16_t control) {
    __asm__ volatile("fnclex; fldcw %0" : : "m"(control));
}
static uint16_t control(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static void on_error(int signal, siginfo_t* information, void* context) {
    const ucontext_t* user = context;
    const struct _libc_fpstate* state = user->uc_mcontext.fpregs;
    code = information->si_code;
    printf("signal %d code %d", signal, code);
    printf(" control %lx status %lx tag %lx", state->cw & 0xffff, state->sw & 0x3f, state->tag & 3);
    printf(" here %x, at the instruction %d\n", control(), information->si_addr != NULL);
    siglongjmp(out, 1);
}

// The handler masks what was unmasked, and the program continues.
static void on_error_resume(int signal, siginfo_t* information, void* context) {
    ucontext_t* user = context;
    struct _libc_fpstate* state = user->uc_mcontext.fpregs;
    state->cw |= 0x3f;
    state->sw &= ~0x80ffu;
    resumed++;
    (void)signal, (void)information;
}

static double divide(void) {
    return one / zero;
}
static double invalid(void) {
    return zero / zero;
}
static double overflow(void) {
    volatile double result = big * big;
    return result;
}
static double underflow(void) {
    volatile double result = small * small;
    return result;
}
static double inexact(void) {
    volatile double result = one / 3;
    return result;
}

static void test(const char* name, uint16_t unmasked, double (*work)(void)) {
    printf("%s: ", name);
    fflush(stdout);
    if (sigsetjmp(out, 1) == 0) {
        set_control(0x37f & ~unmasked);
        volatile double result = work();
        __asm__ volatile("fwait");
        printf("no signal, %g\n", result);
    }
    set_control(0x37f);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_error, .sa_flags = SA_SIGINFO};
    sigaction(SIGFPE, &action, NULL);
    test("divide, masked", 0, divide);
    test("divide", FE_DIVBYZERO, divide);
    test("invalid", FE_INVALID, invalid);
    test("overflow", FE_OVERFLOW, overflow);
    test("underflow", FE_UNDERFLOW, underflow);
    test("inexact", FE_INEXACT, inexact);

    action.sa_sigaction = on_error_resume;
    sigaction(SIGFPE, &action, NULL);
    set_control(0x37f & ~FE_DIVBYZERO);
    volatile double result = divide();
    __asm__ volatile("fwait");
    printf("resumed %d: control %x, %g\n", resumed, control(), result);

    // The handler's own computing leaves the registers of what it interrupts alone.
    set_control(0x37f);
    printf("sum %g\n", 0.1 + (double)resumed);
    return 0;
}
