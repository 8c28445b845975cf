// SPDX-License-Identifier: MIT
//
// The first instructions of each processor. Paging is off: the code runs where it lies in memory,
// and is linked MEMORY_BASE higher. It turns paging on, with the first 4 MB of memory at both
// addresses, and continues at _start (boot/start.S).

#include "cpu.h"

#define FLAGS 3   // present, writable
#define IN_DIRECTORY 7  // and for ring 3: its own entries restrict it

    .section .text.boot, "ax"
    .globl linux_start
    .set linux_start, here - MEMORY_BASE
here:
    movl $kernel_directory - MEMORY_BASE, %eax
    movl %eax, %cr3
    movl %cr0, %eax
    orl $0x80000000, %eax
    movl %eax, %cr0
    jmp 1f  // empties the prefetch queue (PRM 10.4.4)
1:  movl $_start, %eax
    jmp *%eax
    .size here, . - here

// The rest of kernel_space is filled in by frames.c.
    .section .data
    .balign 4096
    .globl kernel_directory
    .type kernel_directory, @object
kernel_directory:
    .long memory_table - MEMORY_BASE + IN_DIRECTORY
    .org kernel_directory + (MEMORY_BASE >> 22) * 4
    .long memory_table - MEMORY_BASE + IN_DIRECTORY
    .org kernel_directory + (BOARD_PROCESSOR >> 22) * 4
    .long board_table - MEMORY_BASE + IN_DIRECTORY
    .org kernel_directory + 4096
    .size kernel_directory, . - kernel_directory

memory_table:
    .long 0  // null pointers lead there
    .set page, 1
    .rept 1023
    .long page * 4096 + FLAGS
    .set page, page + 1
    .endr
board_table:
    .long (BOARD_PROCESSOR & -4096) + FLAGS
    .org board_table + 4096

    .section .note.GNU-stack, "", @progbits
