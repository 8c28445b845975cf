// SPDX-License-Identifier: MIT
//
// void enter_user(struct trap_frame* frame): a processor's first step to ring 3.

    .text
    .globl enter_user
    .type enter_user, @function
enter_user:
    movl 4(%esp), %esp
    popl %es
    popl %ds
    popal
    addl $8, %esp  // vector and error code
    iretl
    .size enter_user, . - enter_user

    .section .note.GNU-stack, "", @progbits
