// SPDX-License-Identifier: MIT

// Start of a program with kernel threads: each processor that it gets is handed to the kernel's
// scheduler, and main() is its first thread.

#include "kernel/spaces/user/user_space.h"
#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "kernel_threads.h"
#include "lib/internal.h"
#include "symsim.h"

int main(int count, char** arguments);

// What %gs points to; cpu.h looks for `cpu`.
static struct own {
    LINE_ALIGNED unsigned unused[PROCESSOR_CPU / sizeof(unsigned)];
    struct cpu* cpu;
} own[MAX_PROCESSORS];

static void set_up(unsigned number) {
    struct cpu* cpu = cpu_of(number);
    cpu->number = number;
    cpu->random = random_seed(arg_unsigned("seed", 0),
                              (unsigned)(space_self() + 1) * MAX_PROCESSORS + number);
    own[number].cpu = cpu;
}

// The kernel runs threads also on processors that have never come by an upcall.
static void run_main(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < space_given.processors; i++) set_up(i);
    static char* arguments[] = {"symsim", NULL};
    exit(main(1, arguments));
}

__attribute__((regparm(2))) _Noreturn void kernel_thread_begin(kernel_thread_function* function,
                                                               void* argument) {
    function(argument);
    kernel_thread_exit();
}

static __attribute__((regparm(3))) void upcall(unsigned number, unsigned reason) {
    visits[number].reason = reason;
    for (;;)  // as long as another space has a claim to the processor
        system_call(CALL_THREADS_SERVE, (uintptr_t)kernel_thread_begin, (uintptr_t)run_main, 0);
}

char symsim_stacks[MAX_PROCESSORS * STACK_BYTES]
    __attribute__((section(".stacks,\"aw\",@nobits#"), aligned(STACK_BYTES)));
extern char symsim_boot_args[];

const struct space_program space_program = {
    .upcall = upcall,
    .stacks = symsim_stacks,
    .own = own,
    .own_bytes = sizeof own[0],
    .arguments = symsim_boot_args,
    .given = &space_given,
};
