// SPDX-License-Identifier: MIT
//
// Context switch: how a thread leaves its processor and is resumed. All ways out end at
// thread_left in the dispatcher (threads.c), which switches to its own stack. Only from there are
// a thread's stack and control block given to others. Registers on arrival at thread_left:
//
//   eax   the stack of a finished thread, else 0
//   edx   if eax is 0: the lock to release (the thread blocks), or 0 (the thread yields)
//   ecx   with address spaces, if both are 0: the event that the thread waits for, or 0 (it yields)

#include "package.h"

    .section .text.threads, "ax"

// A thread's function returns to thread_returned. The stack is as it was when the thread started.
    .globl thread_returned
    .type thread_returned, @function
thread_returned:
    leal -STACK_ARGUMENT(%esp), %eax
    jmp thread_left
    .size thread_returned, . - thread_returned

// void thread_leave(struct thread* self, struct lock* lock), in eax and edx. Returns when the
// thread runs again. Registers that a C function may change are saved by the caller. Of the 80387
// only the control word lives across a call, and all threads share it.
    .globl thread_leave
    .type thread_leave, @function
thread_leave:
    pushl %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl %esp, THREAD_CONTEXT(%eax)       // from here on another processor may own the stack
    xorl %eax, %eax
#ifdef SYMSIM_SPACES
    xorl %ecx, %ecx
#endif
    jmp thread_left
    .size thread_leave, . - thread_leave

#ifdef SYMSIM_SPACES
// void thread_leave_for(struct thread* self, struct thread_event* event), in eax and edx.
    .globl thread_leave_for
    .type thread_leave_for, @function
thread_leave_for:
    pushl %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl %esp, THREAD_CONTEXT(%eax)
    movl %edx, %ecx
    xorl %edx, %edx
    xorl %eax, %eax
    jmp thread_left
    .size thread_leave_for, . - thread_leave_for
#endif

// The dispatcher jumps here with esp = the thread's context.
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
