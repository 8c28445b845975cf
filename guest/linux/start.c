// SPDX-License-Identifier: MIT

// From the boot to the first thread of the program that the loader has placed above the kernel.

#include "elf.h"
#include "symsim.h"
#include "thread.h"

// In .data, so that the word is part of the image.
uint32_t symsim_program __attribute__((section(".data"))) = 0;

static struct process first;

int main(void) {
    const uintptr_t place = *(volatile uint32_t*)&symsim_program;
    setup_kernel_space();
    if (place == 0) panic("there is no program; run a Linux executable: symsim ./a.out");
    struct program* program = memory_at(place);
    setup_frames(program, program->bytes);
    setup_calls();
    setup_faults();
    setup_turns();
    setup_files(program);
    setup_placement();
    struct start start;
    const struct texts texts = {node_given(program, &program->texts), program->arguments,
                                program->variables};
    first.executable = node_use(node_given(program, &program->executable));
    first.memory = memory_create();
    if (first.memory == NULL) panic("no memory for the program; raise memory.size_mb");
    const int error = program_map(first.memory, first.executable, &texts, &start);
    if (error) panic("the program cannot be loaded: error %d", -error);
    node_put(texts.file);
    files_begin(&first);
    first.group = first.session = FIRST_ID;
    setup_first_thread(&first, start.entry, start.stack);
    run_tasks();
}
