// SPDX-License-Identifier: MIT
// A boot ROM of 64 KB: it goes from the reset vector through real mode and protected mode with a
// virtual 8086 task, and back to real mode. It reports its progress on the POST port:
//
//   01 real mode        02 interrupt in it done   03 protected mode   04 left the task
//   05 real mode again  ff all done, halted       e0+n step n failed, halted
//
// It also prints texts on the output port. It runs on any PC emulator that has both ports.

#define POST_PORT 0x80
#define OUTPUT_PORT 0xE9

#define SEGMENT 0xF000
#define ROM 0xF0000
// In memory, which is zero at reset.
#define GDT 0x1000
#define TSS 0x1100
#define COUNT 0x1400
#define STACK 0x7000
#define TASK_STACK 0x6000

#define CODE32 0x08
#define DATA32 0x10
#define CODE16 0x18
#define DATA16 0x20
#define TASK 0x28

#define PE 1
#define VM_FLAG 0x20000
#define TSS_BYTES 104
#define TSS_ESP0 4
#define TSS_SS0 8
#define TSS_IO_MAP 102
// The map has a bit for each port up to the last allowed one, followed by a byte of ones.
#define IO_MAP_BYTES (OUTPUT_PORT / 8 + 1)
#define VECTOR 0x20
#define GENERAL_PROTECTION 13
#define INT_OPCODE 0xCD

    .macro post code
    mov     $\code, %al
    out     %al, $POST_PORT
    .endm

    // Text at cs:\text. Uses ax and si.
    .macro print text
    mov     $\text, %si
    call    print_string
    .endm

    .section .text, "ax", @progbits
    .code16
start:
    cli
    cld
    xor     %ax, %ax
    mov     %ax, %ds
    mov     %ax, %es
    mov     %ax, %ss
    mov     $STACK, %sp
    post    0x01
    print   text_real

    // --- an interrupt in real mode
    movw    $count_interrupt, VECTOR * 4
    movw    $SEGMENT, VECTOR * 4 + 2
    stc
    int     $VECTOR
    jnc     1f                      // iret must have restored the caller's flags
    cmpw    $1, COUNT
    je      2f
1:  post    0xe2
    jmp     stop
2:  post    0x02

    // --- into protected mode: copies the tables to memory, since the processor writes to them
    mov     $gdt, %si
    mov     $GDT, %di
    mov     $(gdt_end - gdt), %cx
    rep movsb %cs:(%si), %es:(%di)
    movl    $STACK, TSS + TSS_ESP0
    movw    $DATA32, TSS + TSS_SS0
    movw    $TSS_BYTES, TSS + TSS_IO_MAP
    mov     $(TSS + TSS_BYTES), %di
    mov     $0xff, %al
    mov     $(IO_MAP_BYTES + 1), %cx
    rep stosb
    andb    $~(1 << (OUTPUT_PORT % 8)), TSS + TSS_BYTES + OUTPUT_PORT / 8
    lgdtl   %cs:gdt_pointer
    lidtl   %cs:idt_pointer
    mov     %cr0, %eax
    or      $PE, %eax
    mov     %eax, %cr0
    ljmpl   $CODE32, $protected_mode

    // Returned from protected mode.
real_mode_again:
    xor     %ax, %ax
    mov     %ax, %ds
    mov     %ax, %es
    mov     %ax, %ss
    mov     $STACK, %sp
    post    0x05
    print   text_real_again
    int     $VECTOR
    cmpw    $2, COUNT
    je      1f
    post    0xe5
    jmp     stop
1:  post    0xff
stop:
    cli
    hlt
    jmp     stop

count_interrupt:
    incw    COUNT
    clc
    iret

print_string:
    lodsb   %cs:(%si), %al
    test    %al, %al
    jz      1f
    out     %al, $OUTPUT_PORT
    jmp     print_string
1:  ret

    // --- the virtual 8086 task: prints, then executes an int that faults
virtual_8086:
    print   text_task
    int     $VECTOR                 // IOPL is 0: general protection fault
    hlt

    .code32
protected_mode:
    mov     $DATA32, %eax
    mov     %eax, %ds
    mov     %eax, %es
    mov     %eax, %ss
    mov     $STACK, %esp
    post    0x03
    mov     $(ROM + text_protected), %esi
1:  lodsb
    test    %al, %al
    jz      2f
    out     %al, $OUTPUT_PORT
    jmp     1b
2:  mov     $TASK, %eax
    ltr     %ax
    // iret to outer: gs fs ds es ss esp eflags cs eip
    push    $0
    push    $0
    push    $0
    push    $0
    push    $0
    push    $TASK_STACK
    push    $(VM_FLAG | 2)
    push    $SEGMENT
    push    $virtual_8086
    iret

    // Expected only from the task's int. On the stack: error code 0, then what iret has popped.
general_protection:
    add     $4, %esp
    testl   $VM_FLAG, 8(%esp)
    jz      task_failed
    cmpl    $SEGMENT, 4(%esp)
    jne     task_failed
    mov     (%esp), %eax            // eip
    cmpw    $(INT_OPCODE | VECTOR << 8), %cs:(%eax)
    jne     task_failed
    post    0x04

    // --- to real mode: loads segments with the limits and types of real mode first
    mov     $DATA16, %eax
    mov     %eax, %ds
    mov     %eax, %es
    mov     %eax, %fs
    mov     %eax, %gs
    mov     %eax, %ss
    ljmp    $CODE16, $leave_protected_mode
unexpected:
task_failed:
    post    0xe4
1:  cli
    hlt
    jmp     1b

    .code16
leave_protected_mode:
    lidtl   %cs:real_idt_pointer
    mov     %cr0, %eax
    and     $~PE, %eax
    mov     %eax, %cr0
    ljmp    $SEGMENT, $real_mode_again

    .balign 8
gdt:
    .quad   0
    .quad   0x00409b0f0000ffff      // CODE32: base F0000, 64 KB
    .quad   0x00cf93000000ffff      // DATA32: all
    .quad   0x00009b0f0000ffff      // CODE16: base F0000, 64 KB
    .quad   0x000093000000ffff      // DATA16: 64 KB
    .word   TSS_BYTES + IO_MAP_BYTES, TSS
    .byte   0, 0x89, 0, 0
gdt_end:
gdt_pointer:
    .word   gdt_end - gdt - 1
    .long   GDT

    .balign 8
idt:
    .rept   GENERAL_PROTECTION
    .word   unexpected, CODE32, 0x8e00, 0
    .endr
    .word   general_protection, CODE32, 0x8e00, 0
    .word   unexpected, CODE32, 0x8e00, 0
idt_end:
idt_pointer:
    .word   idt_end - idt - 1
    .long   ROM + idt
real_idt_pointer:
    .word   0x3ff
    .long   0

text_real:       .asciz "real mode\n"
text_protected:  .asciz "protected mode\n"
text_task:       .asciz "virtual 8086 mode\n"
text_real_again: .asciz "real mode again\n"

    .org    0xfff0, 0xff
reset:
    ljmp    $SEGMENT, $start
    .org    0x10000, 0xff
