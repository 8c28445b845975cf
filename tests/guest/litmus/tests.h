// SPDX-License-Identifier: MIT
#pragma once

// The litmus tests, defined once: the guest compiles them to code, the host enumerates the outcomes
// that a memory model allows. Names and shapes are from the literature (J. Alglave, L. Maranget,
// M. Tautschnig, "Herding Cats", 2014; S. Owens, S. Sarkar, P. Sewell, "A better x86 memory model:
// x86-TSO", 2009, for SB with rfi, its iwp2.4).
//
// T(name, four threads). A thread is a row of W(location, value), a store; R(register, location),
// a load; X(register, location, value), an xchg; F, a fence, which on a 386 is any locked
// instruction. Locations are x and y, registers 0 and 1 of each thread; all are 0 at first. Values
// go up to 2.
//
// XX is from no paper: two exchanges of one word, one of which must read the other's value.

#define LITMUS_TESTS(T)                                             \
    T(SB, W(x, 1) R(0, y), W(y, 1) R(0, x), , )                     \
    T(SB_fences, W(x, 1) F R(0, y), W(y, 1) F R(0, x), , )          \
    T(SB_fence, W(x, 1) F R(0, y), W(y, 1) R(0, x), , )             \
    T(SB_xchg, X(1, x, 1) R(0, y), X(1, y, 1) R(0, x), , )          \
    T(SB_rfi, W(x, 1) R(0, x) R(1, y), W(y, 1) R(0, y) R(1, x), , ) \
    T(XX, X(0, x, 1), X(0, x, 2), , )                               \
    T(MP, W(x, 1) W(y, 1), R(0, y) R(1, x), , )                     \
    T(LB, R(0, x) W(y, 1), R(0, y) W(x, 1), , )                     \
    T(S, W(x, 2) W(y, 1), R(0, y) W(x, 1), , )                      \
    T(R, W(x, 1) W(y, 1), W(y, 2) R(0, x), , )                      \
    T(2_2W, W(x, 1) W(y, 2), W(y, 1) W(x, 2), , )                   \
    T(WRC, W(x, 1), R(0, x) W(y, 1), R(0, y) R(1, x), )             \
    T(RWC, W(x, 1), R(0, x) R(1, y), W(y, 1) R(0, x), )             \
    T(IRIW, W(x, 1), W(y, 1), R(0, x) R(1, y), R(0, y) R(1, x))

#define LITMUS_THREADS 4
#define LITMUS_REGISTERS 2
// An outcome is a string of digits: the registers, thread by thread, then the final x and y.
#define LITMUS_DIGITS (LITMUS_THREADS * LITMUS_REGISTERS + 2)
