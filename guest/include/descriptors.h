// SPDX-License-Identifier: MIT
#pragma once

// Segments and privilege rings. descriptors_load() sets up the processor that calls it: a
// descriptor table of its own with flat segments for rings 0 and 3, a task state segment, and the
// interrupt table that all processors share. Before that the processor has the loader's flat
// segments and no tables, and an exception ends the run.
//
// Code and data selectors of ring 0 are those that the loader leaves in the registers, so no
// segment register needs a reload. (PRM: 80386 Programmer's Reference Manual, Intel, 1986.)

#define KERNEL_CODE 0x08
#define KERNEL_DATA 0x10
#define USER_CODE 0x1b  // with requested privilege level (RPL) 3
#define USER_DATA 0x23
#define THIS_TASK 0x28      // the processor's task state segment
#define FREE_SELECTOR 0x30  // from here to LAST_SELECTOR: free for the program
#define LAST_SELECTOR 0xf8

#define USER_RETURN 0x30  // the interrupt by which run_user returns to ring 0

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct descriptor {
    uint32_t low, high;
};

// Byte 5 of a descriptor, present bit set, without privilege level (PRM figures 5-3, 6-1).
enum segment_kind {
    SEGMENT_DATA = 0x92,  // writable
    SEGMENT_READ_ONLY = 0x90,
    SEGMENT_STACK = 0x96,  // expands down: offsets above the limit are valid
    SEGMENT_CODE = 0x9a,   // readable
    SEGMENT_EXECUTE_ONLY = 0x98,
    SEGMENT_CONFORMING = 0x9e,
    SEGMENT_LDT = 0x82,
    SEGMENT_TASK = 0x89,
};
enum gate_kind {
    GATE_CALL = 0x8c,
    GATE_TASK = 0x85,
    GATE_INTERRUPT = 0x8e,  // clears IF
    GATE_TRAP = 0x8f,
};

// A 32-bit segment. `limit` is its last valid offset; for SEGMENT_STACK, the last invalid one. A
// limit of 1 MB or more is rounded up to whole pages.
struct descriptor segment_descriptor(enum segment_kind kind, unsigned ring, uintptr_t base,
                                     uint32_t limit);
// `ring`: least privileged ring that may use it. `dwords`: parameters that a call gate copies.
struct descriptor gate_descriptor(enum gate_kind kind, unsigned ring, unsigned selector,
                                  uintptr_t offset, unsigned dwords);

// Task state segment (PRM figure 7-1).
struct task_state {
    uint32_t link;
    struct {
        uint32_t esp, ss;
    } inner[3];
    uint32_t cr3;
    uint32_t eip, flags;
    uint32_t eax, ecx, edx, ebx, esp, ebp, esi, edi;
    uint32_t es, cs, ss, ds, fs, gs;
    uint32_t ldt;
    uint16_t trap;
    uint16_t port_map;  // offset of the I/O permission map; beyond the limit: no map
};
_Static_assert(sizeof(struct task_state) == 104, "as the processor has it");

void descriptors_load(void);  // each processor calls it once; interrupts stay off

// Entries of this processor's descriptor table.
void set_descriptor(unsigned selector, struct descriptor descriptor);
struct descriptor get_descriptor(unsigned selector);
// This processor's task state segment. Interrupts from ring 3 start on the stack inner[0].esp.
struct task_state* this_task_state(void);
// Uses another task state segment of `bytes` bytes, for example one followed by a port map.
void use_task(struct task_state* task, uint32_t bytes);

// Calls function(argument) in ring 3 on the given stack and returns its result. Interrupts from
// ring 3 run on the current stack, below the caller's frame. With paging on, the pages of code,
// stack and data must be accessible to ring 3.
uint32_t run_user(uint32_t (*function)(uint32_t argument), uint32_t argument, void* stack_top);

static inline unsigned code_selector(void) {
    unsigned selector;
    __asm__ volatile("movl %%cs, %0" : "=r"(selector));
    return selector;
}
static inline unsigned ring(void) {
    return code_selector() & 3;
}

#endif
