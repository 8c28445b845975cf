// SPDX-License-Identifier: MIT

// jmp_buf: the caller's ebx, esi, edi, ebp, and its esp after the call, and the return address.

    .text
    .globl setjmp
    .type setjmp, @function
setjmp:
    movl 4(%esp), %eax
    movl %ebx, (%eax)
    movl %esi, 4(%eax)
    movl %edi, 8(%eax)
    movl %ebp, 12(%eax)
    leal 4(%esp), %ecx
    movl %ecx, 16(%eax)
    movl (%esp), %ecx
    movl %ecx, 20(%eax)
    xorl %eax, %eax
    ret
    .size setjmp, . - setjmp

    .globl longjmp
    .type longjmp, @function
longjmp:
    movl 4(%esp), %edx
    movl 8(%esp), %eax
    testl %eax, %eax
    jnz 1f
    incl %eax                             // setjmp's second return is never 0
1:  movl (%edx), %ebx
    movl 4(%edx), %esi
    movl 8(%edx), %edi
    movl 12(%edx), %ebp
    movl 16(%edx), %esp
    jmp *20(%edx)
    .size longjmp, . - longjmp

    .section .note.GNU-stack, "", @progbits
