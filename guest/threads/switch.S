// SPDX-License-Identifier: MIT
//
// How a thread leaves its processor, and comes back. All roads away lead to thread_left in the
// dispatcher (threads.c), which takes its own stack again: a thread's stack and control block are
// given away only from there.
//
//   eax   the stack of a thread that has finished, else 0
//   edx   of one that has not: the lock to give back, or 0: it is ready again

#include "package.h"

    .section .text.threads, "ax"

// The function of a thread returns to here, on its stack as it was at its birth.
    .globl thread_returned
    .type thread_returned, @function
thread_returned:
    leal -STACK_ARGUMENT(%esp), %eax
    jmp thread_left
    .size thread_returned, . - thread_returned

// void thread_leave(struct thread* self, struct lock* lock), in eax and edx. Returns when the
// thread runs again. What a C function may change, its caller has saved; nor has the 80387 anything
// that lives across a call but its control word, which all threads share.
    .globl thread_leave
    .type thread_leave, @function
thread_leave:
    pushl %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl %esp, THREAD_CONTEXT(%eax)       // from here on the stack is not ours
    xorl %eax, %eax
    jmp thread_left
    .size thread_leave, . - thread_leave

// The dispatcher jumps here with the thread's context as esp.
    .globl thread_resumed
    .type thread_resumed, @function
thread_resumed:
    popl %edi
    popl %esi
    popl %ebx
    popl %ebp
    ret
    .size thread_resumed, . - thread_resumed

    .section .note.GNU-stack, "", @progbits
