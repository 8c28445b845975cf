// SPDX-License-Identifier: MIT
#pragma once

// What every kernel needs, whatever it runs.

#include <stdbool.h>
#include <stdint.h>

#include "interrupts.h"
#include "paging.h"
#include "slic.h"

// ---- from the boot to ring 3 (boot.c, enter.S) ----

void close_user_return(void);  // once, before ring 3 runs
// Each processor, after its descriptors_load(): turns paging on, and lets the timer and other
// processors interrupt.
void enter_kernel(void);
_Noreturn void enter_user(struct trap_frame* frame);  // continues in ring 3 with these registers

static inline bool from_user(const struct trap_frame* frame) {
    return (frame->cs & 3) == 3;
}

// The frame with which a program begins in ring 3: at `function`, which gets its two arguments in
// registers (regparm(2)), with interrupts on and all other registers 0. `stack`: its first esp.
static inline void begin_frame(struct trap_frame* frame, uintptr_t function, uintptr_t stack,
                               uint32_t first, uint32_t second) {
    *frame = (struct trap_frame){
        .es = USER_DATA,
        .ds = USER_DATA,
        .eax = first,
        .edx = second,
        .eip = function,
        .cs = USER_CODE,
        .flags = FLAG_INTERRUPT,
        .esp = stack,
        .ss = USER_DATA,
    };
}

// ---- exceptions that ring 3 can cause (exceptions.c) ----

// Installs the handler for all of them, and lets ring 3 raise those that are instructions of its
// own. The handler gets none of ring 0: such an exception is a bug of the kernel, and stops the
// run.
void on_user_exceptions(interrupt_handler* handler);
const char* exception_name(unsigned vector);  // for reports

// ---- the interrupt by which a processor asks another one to look what it should run ----

#define RESCHEDULE 0x40  // the software bit of DYNIX for this

// False if the other one's SLIC rejects it.
static inline bool reschedule(unsigned processor) {
    return slic_send(SLIC_PROCESSOR(processor), 0, RESCHEDULE);
}
// For the handler of SLIC_VECTORS: clears the bit.
static inline void take_reschedule(void) {
    slic_software_bits();
}

// ---- the kernel's pages, and what every space maps of the kernel (pages.c) ----

extern struct space* kernel_space;  // for ring 0 when it runs no program

// Takes at most `most` pages from the end of memory, a quarter of it at most, and makes
// kernel_space of the first one. To be called before anybody has allocated memory.
void setup_pages(unsigned most);
bool pages_left(unsigned number);  // true if there are still so many
// `number` zero-filled pages, one after the other; NULL if there are none left.
char* take_pages(unsigned number);
uintptr_t memory_of_programs(void);          // its end, where the kernel's pages begin
void map_kernel_pages(struct space* space);  // for ring 0
// Maps the devices: the clock's page for ring 3 too, and the board's with the flags `board`.
void map_devices(struct space* space, unsigned board);

// ---- what ring 3 may access: a system call's arguments are not trusted (user_memory.c) ----

// True if ring 3 of the space can read these bytes; and write them, if `right` is PAGE_WRITABLE.
// The kernel itself may write to every page that is present (PRM 6.4.1.3).
bool user_range(const struct space* space, uintptr_t begin, uint32_t bytes, unsigned right);
// The address in kernel_space of a word that ring 3 can read; NULL if it cannot.
volatile unsigned* user_word(const struct space* space, uintptr_t address);
// Writes text of ring 3 to the console or the results. 0; -1 if it is none, too long, or not its.
int user_write(const struct space* space, uint32_t device, uintptr_t text, uint32_t bytes);

// ---- devices.c ----

// Writes to the console or the results. The text of one call is not interleaved with others'.
void device_write(uintptr_t device, const char* text, unsigned bytes);
