// SPDX-License-Identifier: MIT
//
// Interrupt entry: a stub for each vector pushes its number; then all vectors share one code, which
// builds a struct trap_frame on the stack (include/interrupts.h).

#include "descriptors.h"

    .section .text.kernel, "ax"

    .balign 16
    .globl symsim_interrupt_entries
    .type symsim_interrupt_entries, @function
symsim_interrupt_entries:
    .set vector, 0
    .rept 256
    .balign 16
    .if (vector != 8) && ((vector < 10) || (vector > 14))
    pushl $0  // for the other exceptions the processor pushes an error code (PRM 9.8)
    .endif
    pushl $vector
    jmp common
    .set vector, vector + 1
    .endr
    .size symsim_interrupt_entries, . - symsim_interrupt_entries

    .type common, @function
common:
    pushal
    pushl %ds
    pushl %es
    movl $KERNEL_DATA, %eax
    movl %eax, %ds
    movl %eax, %es
    cld
    pushl %esp                   // argument: the frame
    call symsim_interrupt
    addl $4, %esp
    popl %es
    popl %ds
    popal
    addl $8, %esp                // drops vector and error code
    iretl
    .size common, . - common

    .section .note.GNU-stack, "", @progbits
