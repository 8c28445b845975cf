// SPDX-License-Identifier: MIT
//
// The first instructions that each processor executes.
//
// The loader leaves: flat 32-bit protected mode, all registers 0, flags 2, interrupts off, .bss
// zero, the boot arguments in symsim_boot_args. All processors start here at the same time. This
// code gives each its own stack and jumps to symsim_boot, a C function that never returns.
//
//   symsim_stacks + n * STACK_BYTES        struct cpu of processor n      (include/cpu.h)
//                  ...                     free; the stack grows down to here, or to the guard page
//   symsim_stacks + (n + 1) * STACK_BYTES  end of the stack; symsim_boot starts with esp 8 below

#include "cpu.h"

    .section .text.boot, "ax"
    .globl _start
    .type _start, @function
_start:
    movl BOARD_PROCESSOR, %eax            // this processor's number
    leal 1(%eax), %ecx
    shll $STACK_SHIFT, %ecx
    leal symsim_stacks(%ecx), %esp        // the end of its own stack
    pushl %eax                            // argument of symsim_boot
    pushl $0                              // return address that does not exist: backtraces end here
    jmp symsim_boot
    .size _start, . - _start

    .section .stacks, "aw", @nobits
    .balign STACK_BYTES
    .globl symsim_stacks
    .type symsim_stacks, @object
symsim_stacks:
    .skip MAX_PROCESSORS * STACK_BYTES
    .size symsim_stacks, . - symsim_stacks

#if STACK_BYTES > 16 * 1024  // there is room for a guard page, the second page of each stack
    .globl symsim_stack_bytes
    .set symsim_stack_bytes, STACK_BYTES
#endif

    .section .note.GNU-stack, "", @progbits
