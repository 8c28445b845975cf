// SPDX-License-Identifier: MIT
// A boot sector as a BIOS starts it: real mode, at 0000:7C00. It prints, then switches the power
// off from protected mode with exit status 3. A POST code e0 would show that this had no effect.

#define POST_PORT 0x80
#define OUTPUT_PORT 0xE9
#define POWER 0xD0001000
#define EXIT_STATUS 3

    .section .text, "ax", @progbits
    .code16
start:
    cli
    cld
    xor     %ax, %ax
    mov     %ax, %ds
    mov     $(text + 0x7c00), %si
1:  lodsb
    test    %al, %al
    jz      2f
    out     %al, $OUTPUT_PORT
    jmp     1b
2:  lgdtl   gdt_pointer + 0x7c00
    mov     %cr0, %eax
    or      $1, %eax
    mov     %eax, %cr0
    mov     $0x08, %ax
    mov     %ax, %ds
    mov     $POWER, %ebx
    movl    $EXIT_STATUS, (%ebx)
    mov     $0xe0, %al
    out     %al, $POST_PORT
    hlt

text:   .asciz "boot sector\n"
    .balign 8
gdt:
    .quad   0
    .quad   0x00cf93000000ffff      // data: all
gdt_pointer:
    .word   gdt_pointer - gdt - 1
    .long   gdt + 0x7c00
    .org    510
    .byte   0x55, 0xaa
