// SPDX-License-Identifier: MIT
#pragma once

// Segments and rings. descriptors_load() gives the processor it runs on a descriptor table of its
// own with flat segments for ring 0 and ring 3, the interrupt table all processors share, and a
// task state segment. Before it, the processor has the flat segments the loader left and no tables:
// an exception ends the run.
//
// The selectors of code and data in ring 0 are those the loader leaves in the registers, so nothing
// needs to be loaded anew. (PRM: 80386 Programmer's Reference Manual, Intel, 1986.)

#define KERNEL_CODE 0x08
#define KERNEL_DATA 0x10
#define USER_CODE 0x1b  // ring 3 asks for them with RPL 3
#define USER_DATA 0x23
#define THIS_TASK 0x28      // the processor's task state segment
#define FREE_SELECTOR 0x30  // from here to the end: the program's own
#define LAST_SELECTOR 0xf8

#define USER_RETURN 0x30  // the interrupt by which run_user comes back

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct descriptor {
    uint32_t low, high;
};

// Byte 5 of a descriptor without privilege level (PRM figures 5-3, 6-1); `present` included.
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

// A 32-bit segment; `limit` is its last offset (of SEGMENT_STACK the last one that is not valid).
// From 1 MB on it is rounded up to pages.
struct descriptor segment_descriptor(enum segment_kind kind, unsigned ring, uintptr_t base,
                                     uint32_t limit);
// `ring`: the outermost that may use it. `dwords`: parameters a call gate copies.
struct descriptor gate_descriptor(enum gate_kind kind, unsigned ring, unsigned selector,
                                  uintptr_t offset, unsigned dwords);

// PRM figure 7-1.
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
    uint16_t port_map;  // offset of the permission bits; beyond the limit: there are none
};
_Static_assert(sizeof(struct task_state) == 104, "as the processor has it");

void descriptors_load(void);  // on each processor, once; interrupts stay off

// Of this processor's table.
void set_descriptor(unsigned selector, struct descriptor descriptor);
struct descriptor get_descriptor(unsigned selector);
// The task state segment of this processor: inner[0].esp is where interrupts from ring 3 begin.
struct task_state* this_task(void);
// Another one, of which `bytes` belong to the segment: with a map of ports behind it, say.
void use_task(struct task_state* task, uint32_t bytes);

// Calls function(argument) in ring 3 on the given stack and returns what it returns. Interrupts
// from there run on this stack, below the caller. Code, stack and data must be pages of ring 3 if
// paging is on.
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
