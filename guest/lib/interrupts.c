// SPDX-License-Identifier: MIT

#include "interrupts.h"

#include "kernel.h"
#include "paging.h"
#include "sections.h"
#include "symsim.h"

#define ENTRY_BYTES 16  // interrupt_entries.S

extern char symsim_interrupt_entries[];
void symsim_user_leave(void);  // user.S

// The interrupt table, 8 bytes per entry; the processors read it, set-up code writes it.
static LINE_ALIGNED struct descriptor gates[VECTORS];
static interrupt_handler* handlers[VECTORS];

void set_gate(unsigned vector, struct descriptor gate) {
    *(volatile struct descriptor*)&gates[vector] = gate;
}

static void set_entry(unsigned vector, unsigned ring) {
    uintptr_t entry = (uintptr_t)symsim_interrupt_entries + vector * ENTRY_BYTES;
    set_gate(vector, gate_descriptor(GATE_INTERRUPT, ring, KERNEL_CODE, entry, 0));
}

// Several processors may run this at the same time: they all write the same values.
struct table_register interrupt_table(void) {
    if (gates[USER_RETURN].high == 0) {
        for (unsigned vector = 0; vector < VECTORS; vector++)
            if (vector != USER_RETURN && gates[vector].high == 0) set_entry(vector, 0);
        uintptr_t leave = (uintptr_t)symsim_user_leave;
        set_gate(USER_RETURN, gate_descriptor(GATE_INTERRUPT, 3, KERNEL_CODE, leave, 0));
    }
    return (struct table_register){sizeof gates - 1, (uintptr_t)gates};
}

void allow_user_interrupt(unsigned vector) {
    set_entry(vector, 3);
}

interrupt_handler* on_interrupt(unsigned vector, interrupt_handler* handler) {
    interrupt_handler* before = handlers[vector];
    handlers[vector] = handler;
    return before;
}

// Called by interrupt_entries.S, with interrupts off.
KERNEL_FUNCTION void symsim_interrupt(struct trap_frame* frame) {
    interrupt_handler* handler = *(interrupt_handler* volatile*)&handlers[frame->vector];
    if (handler)
        handler(frame);
    else
        panic("interrupt %u, error code 0x%x, eip 0x%x, cr2 0x%x", frame->vector, frame->error,
              frame->eip, read_cr2());
}

IDLE_FUNCTION void sleep_until_interrupt(void) {
    __asm__ volatile("sti; hlt; cli" : : : "memory");
}
