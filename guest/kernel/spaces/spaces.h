// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the kernel of spaces. It runs in ring 0 with interrupts off, on the
// processor's boot stack. A space keeps nothing on that stack: a system call either returns at once
// or gives the processor away, and then the processor comes back by an upcall. So the kernel moves
// a processor by writing another trap frame, and it preempts a space by keeping the one that it
// had.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "kernel/shared/fpu.h"
#include "kernel/shared/kernel.h"
#include "kernel/shared/list.h"
#include "kernel/shared/spinlock.h"
#include "kernel/spaces/program.h"
#include "space.h"
#include "symsim.h"

struct user_space {
    LINE_ALIGNED int number;
    const struct space_image* image;
    struct space* pages;  // its page directory
    uintptr_t upcall;     // its entry
    uintptr_t stacks;     // for upcalls
    volatile unsigned ended;
    bool serves;  // the run does not wait for its end
    int status;

    // With kernel threads: threads.c, lrpc.c, message.c
    volatile unsigned char begun;          // main() is a thread
    struct kernel_thread* free_threads;    // records with a stack
    unsigned threads;                      // records that it has, free or not
    uint32_t lrpc_entry, lrpc_procedures;  // how many it exports
};
extern struct user_space user_spaces[MAX_SPACES];
extern unsigned user_spaces_number;

static inline unsigned bit_of(const struct user_space* space) {
    return 1u << space->number;
}

// What the kernel keeps for a processor.
struct processor {
    LINE_ALIGNED struct user_space* volatile space;  // which has it; NULL: none
    unsigned number;
    struct kernel_thread* volatile thread;  // that runs here, if it is a kernel thread
    struct processor_info* info;  // who has lent it to whom, and which spaces are preempted on it
    unsigned waiting;  // a bit a space that had a claim to it at the last tick (preempt.c)
    unsigned served;   // the space whose claim was met last
};
extern struct processor kernel_processors[MAX_PROCESSORS];
static inline struct processor* this_processor(void) {
    return &kernel_processors[read_register(BOARD_PROCESSOR)];
}

// memory.c
void setup_memory(void);  // the kernel's pages and its space
void setup_spaces(void);
// `count` zero-filled pages, one after the other, mapped in each of the spaces at their own
// addresses, for ring 3. 0 if there are none left.
uintptr_t map_new(struct user_space* const* spaces, unsigned number, unsigned count);
struct user_space* space_at(int number);  // NULL if there is none

// information.c: the page that all spaces read
void setup_information(void);
const struct space_info* information_of(int space);
struct processor_info* information_on(unsigned processor);
const volatile unsigned* information_absent(void);  // a bit a space, set if it has no processor
void information_tick(void);                        // of a processor
unsigned information_absent_ticks(int space);       // since it has had a processor
void information_moved(const struct user_space* from, struct user_space* to);  // a processor
void information_preempted(const struct user_space* space);
void information_ended(const struct user_space* space);
void information_asked(const struct user_space* space);

// share.c
uint32_t share_memory(struct user_space* self, int other, unsigned channel, unsigned pages);

// processors.c
void setup_processor(struct processor* here);
// A processor in a space is to the simulator a process, whose number this is.
unsigned number_in(const struct processor* here, const struct user_space* space);
// When it returns from the interrupt, the processor continues in ring 3 at the space's upcall; or
// where it was, if the space is preempted on it.
void upcall(struct processor* here, struct trap_frame* frame, struct user_space* to,
            enum upcall_reason reason);
// The same, from the space that has the processor and so lends it.
void lend_processor(struct processor* here, struct trap_frame* frame, struct user_space* to,
                    enum upcall_reason reason);
void enter_space(struct processor* here, struct user_space* to);
// To the space with this number; returns in the same space if it cannot be.
void donate_processor(struct trap_frame* frame, int to);
// Which runs no kernel thread: while the space that has it has ended, it goes to another one.
void leave_ended_space(struct processor* here, struct trap_frame* frame);

// context.c: all registers of a program that is preempted
struct context {
    LINE_ALIGNED struct trap_frame frame;
    uint32_t fs, gs;
    struct fpu_state fpu;
};
void setup_contexts(void);
struct context* context_here(const struct processor* here);  // of the space that has it
void context_save(struct context* context, const struct trap_frame* frame);
void context_restore(const struct context* context, struct trap_frame* frame);

// preempt.c
void setup_preemption(void);
void begin_preemption(void);  // on each processor that is in a space

// end.c
void setup_ends(void);
void space_end(struct trap_frame* frame, int status);  // the one that has this processor
void space_only_serves(struct user_space* space);

// faults.c, calls.c
void setup_faults(void);
void space_fails(struct trap_frame* frame, const char* why);  // it is ended, with a report
void setup_calls(void);
