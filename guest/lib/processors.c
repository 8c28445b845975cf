// SPDX-License-Identifier: MIT

// How processors start, get work and meet at a barrier. All waits spin on one word, in code in
// .text.idle. Each such word has a line of its own (struct cpu, barrier_open), so a waiting
// processor reads its own cache and does not disturb others. Order: `turn` is stored after the data
// that it announces, ordering.h rule 2.

#include "cpu.h"
#include "internal.h"
#include "sections.h"
#include "symsim.h"

_Noreturn void symsim_boot(unsigned number);

// The program's main may have parameters or not. In C's calling convention the caller pops the
// arguments, so a main without parameters may be called with two.
int main(int, char**);

static char* main_arguments[] = {"symsim", NULL};

// Written only by processor 0: number of the last barrier that all have reached.
static struct { LINE_ALIGNED volatile unsigned word; } barrier_open;

// Waits until a counter has reached `value`.
static IDLE_FUNCTION void wait_until(volatile unsigned* word, unsigned value) {
    while (*word != value) {
    }
    compiler_barrier();
}

static _Noreturn BOOT_FUNCTION void serve_mailbox(struct cpu* cpu) {
    for (unsigned turn = 1;; turn++) {
        wait_until(&cpu->turn, turn);
        cpu->function(cpu->number, cpu->argument);
        compiler_barrier();
        cpu->turns_done = turn;
    }
}

// boot/start.S jumps here, on each processor's own stack.
_Noreturn BOOT_FUNCTION void symsim_boot(unsigned number) {
    struct cpu* cpu = this_cpu();
    cpu->number = number;
    if (number != 0) serve_mailbox(cpu);

    arguments_split();
    uint32_t seed = arg_unsigned("seed", 0);
    for (unsigned i = 0; i < processors(); i++) cpu_of(i)->random = random_seed(seed, i);
    exit(main(MAIN_COUNT, MAIN_WORDS(main_arguments)));
}

unsigned processor(void) {
    return this_cpu()->number;
}

unsigned processors(void) {
    return read_register(BOARD_PROCESSORS);
}

uint32_t clock_us(void) {
    return read_register(BOARD_CLOCK_US);
}

void start_on(unsigned processor, symsim_work* function, void* argument) {
    struct cpu* cpu = cpu_of(processor);
    if (this_cpu()->number != 0) panic("start_on is for processor 0");
    if (processor == 0 || processor >= processors()) panic("start_on: no processor %u", processor);
    if (cpu->turn != cpu->turns_done) panic("start_on: processor %u is still at work", processor);
    cpu->function = function;
    cpu->argument = argument;
    compiler_barrier();
    cpu->turn = cpu->turn + 1;
}

void wait_for(unsigned processor) {
    struct cpu* cpu = cpu_of(processor);
    wait_until(&cpu->turns_done, cpu->turn);
}

void run_on_all(symsim_work* function, void* argument) {
    for (unsigned i = 1; i < processors(); i++) start_on(i, function, argument);
    function(0, argument);
    for (unsigned i = 1; i < processors(); i++) wait_for(i);
}

// Processor 0 waits for the others one by one and then releases all. It costs one store and one or
// two read misses per processor.
void barrier(void) {
    struct cpu* cpu = this_cpu();
    unsigned number = cpu->barriers_passed + 1;
    cpu->barriers_passed = number;
    compiler_barrier();
    if (cpu->number == 0) {
        for (unsigned i = 1; i < processors(); i++) wait_until(&cpu_of(i)->barrier_arrived, number);
        barrier_open.word = number;
    } else {
        cpu->barrier_arrived = number;
        wait_until(&barrier_open.word, number);
    }
}
