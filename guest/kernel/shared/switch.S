// SPDX-License-Identifier: MIT
//
// The context switch inside the kernel.

    .text

// void switch_stacks(void** from, void* to): saves what C requires on the stack, its esp in *from,
// and continues where the stack `to` was left. Registers of ring 3 are in the trap frame below.
    .globl switch_stacks
    .type switch_stacks, @function
switch_stacks:
    movl 4(%esp), %eax
    movl 8(%esp), %edx
    pushl %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    pushl %fs  // of ring 3: the kernel does not use them
    pushl %gs
    movl %esp, (%eax)
    movl %edx, %esp
    popl %gs
    popl %fs
    popl %edi
    popl %esi
    popl %ebx
    popl %ebp
    ret
    .size switch_stacks, . - switch_stacks

    .section .note.GNU-stack, "", @progbits
