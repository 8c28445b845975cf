// SPDX-License-Identifier: MIT
//
// uint32_t run_user(uint32_t (*function)(uint32_t), uint32_t argument, void* stack_top)
//
// Goes to ring 3 by iret, and comes back by an interrupt to this stack. Layout of the stack during
// the call, where esp0 = inner[0].esp of the task state segment:
//
//   esp0 ->  address of inner[0].esp
//            its previous value: an interrupt handler of a run_user may call run_user
//            flags ebx esi edi ebp   registers that C requires to be restored
//            return address, function, argument, stack_top

#include "descriptors.h"

    .text
    .globl run_user
    .type run_user, @function
run_user:
    pushl %ebp
    pushl %edi
    pushl %esi
    pushl %ebx
    pushfl
    call this_task_state
    leal 4(%eax), %eax           // &inner[0].esp
    pushl (%eax)
    pushl %eax
    movl 32(%esp), %ecx          // function
    movl 36(%esp), %edx          // argument
    movl 40(%esp), %ebx          // stack_top
    movl 8(%esp), %esi           // flags
    movl %edx, -4(%ebx)
    movl $user_done, -8(%ebx)    // return address of function
    subl $8, %ebx
    cli                          // an interrupt now would take ring 0's stack for ring 3's
    movl %esp, (%eax)

    pushl $USER_DATA             // ss, esp, flags, cs, eip
    pushl %ebx
    pushl %esi
    pushl $USER_CODE
    pushl %ecx
    movl $USER_DATA, %eax
    movl %eax, %ds
    movl %eax, %es
    movl %eax, %fs
    movl %eax, %gs
    iretl
    .size run_user, . - run_user

// Runs in ring 3.
    .type user_done, @function
user_done:
    int $USER_RETURN
    .size user_done, . - user_done

// The gate of USER_RETURN. The result is in eax; the interrupt's five dwords are dropped.
    .section .text.kernel, "ax"
    .globl symsim_user_leave
    .type symsim_user_leave, @function
symsim_user_leave:
    addl $20, %esp
    movl $KERNEL_DATA, %edx
    movl %edx, %ds
    movl %edx, %es
    movl %edx, %fs
    movl %edx, %gs
    cld
    popl %edx
    popl (%edx)
    popfl
    popl %ebx
    popl %esi
    popl %edi
    popl %ebp
    ret
    .size symsim_user_leave, . - symsim_user_leave

    .section .note.GNU-stack, "", @progbits
