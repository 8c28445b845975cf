// SPDX-License-Identifier: MIT
//
// Entry of a program that runs on the host itself, as a 32-bit Linux process. It replaces
// guest/boot/start.S.

    .text
    .globl _start
    .type _start, @function
_start:
    xorl %ebp, %ebp
    call native_main
    .size _start, . - _start

    .section .note.GNU-stack, "", @progbits
