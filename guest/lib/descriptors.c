// SPDX-License-Identifier: MIT

#include "descriptors.h"

#include "cpu.h"
#include "kernel.h"
#include "symsim.h"

#define DESCRIPTORS (LAST_SELECTOR / 8 + 1)

// One table per processor, so that each has its own task state segment with the same selector.
static struct {
    LINE_ALIGNED struct descriptor table[DESCRIPTORS];
    struct task_state task;
    struct task_state* in_use;
} tables[MAX_PROCESSORS];

struct descriptor segment_descriptor(enum segment_kind kind, unsigned ring, uintptr_t base,
                                     uint32_t limit) {
    const uint32_t wide = kind == SEGMENT_TASK || kind == SEGMENT_LDT ? 0 : 1u << 22;
    uint32_t pages = 0;
    if (limit > 0xfffff) {
        limit >>= 12;
        pages = 1u << 23;
    }
    return (struct descriptor){
        .low = (limit & 0xffff) | base << 16,
        .high = (base & 0xff000000) | pages | wide | (limit & 0xf0000) | ring << 13 | kind << 8 |
                (base >> 16 & 0xff),
    };
}

struct descriptor gate_descriptor(enum gate_kind kind, unsigned ring, unsigned selector,
                                  uintptr_t offset, unsigned dwords) {
    return (struct descriptor){
        .low = (offset & 0xffff) | selector << 16,
        .high = (offset & 0xffff0000) | ring << 13 | kind << 8 | dwords,
    };
}

void set_descriptor(unsigned selector, struct descriptor descriptor) {
    if (selector > LAST_SELECTOR + 7) panic("set_descriptor: no selector %#x", selector);
    *(volatile struct descriptor*)&tables[processor()].table[selector / 8] = descriptor;
}

struct descriptor get_descriptor(unsigned selector) {
    return *(volatile struct descriptor*)&tables[processor()].table[selector / 8];
}

struct task_state* this_task_state(void) {
    return tables[processor()].in_use;
}

void use_task(struct task_state* task, uint32_t bytes) {
    tables[processor()].in_use = task;
    task->inner[0].ss = KERNEL_DATA;
    set_descriptor(THIS_TASK, segment_descriptor(SEGMENT_TASK, 0, (uintptr_t)task, bytes - 1));
    __asm__ volatile("ltr %w0" : : "r"(THIS_TASK) : "memory");
}

void descriptors_load(void) {
    set_descriptor(KERNEL_CODE, segment_descriptor(SEGMENT_CODE, 0, 0, 0xffffffff));
    set_descriptor(KERNEL_DATA, segment_descriptor(SEGMENT_DATA, 0, 0, 0xffffffff));
    set_descriptor(USER_CODE, segment_descriptor(SEGMENT_CODE, 3, 0, 0xffffffff));
    set_descriptor(USER_DATA, segment_descriptor(SEGMENT_DATA, 3, 0, 0xffffffff));

    const struct table_register descriptors = {sizeof tables[0].table - 1,
                                               (uintptr_t)tables[processor()].table};
    const struct table_register interrupts = interrupt_table();
    __asm__ volatile("lgdt %0; lidt %1" : : "m"(descriptors), "m"(interrupts) : "memory");

    struct task_state* task = &tables[processor()].task;
    task->port_map = sizeof *task;
    use_task(task, sizeof *task);
}
