// SPDX-License-Identifier: MIT
//
// The first step to ring 3.

    .text

// void enter_user(struct trap_frame* frame): continues with these registers.
    .globl enter_user
    .type enter_user, @function
enter_user:
    movl 4(%esp), %esp

// The first switch to a task returns here; its struct trap_frame is on the stack.
    .globl task_begin
    .type task_begin, @function
task_begin:
    popl %es
    popl %ds
    popal
    addl $8, %esp  // vector and error code
    iretl
    .size task_begin, . - task_begin
    .size enter_user, . - enter_user

    .section .note.GNU-stack, "", @progbits
