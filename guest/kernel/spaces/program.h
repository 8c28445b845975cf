// SPDX-License-Identifier: MIT
#pragma once

// What a program and the kernel tell each other before the program runs. Each program has one
// `space_program`, a constant that the kernel reads; the kernel fills `given` and `arguments`.

#include <stdint.h>

#include "space.h"

struct space_given {
    char *heap_begin, *heap_end;
    int number;
    unsigned spaces, processors;
    const struct space_info *info, *self;  // of all spaces; of this one
    const struct processor_info* on;       // of all processors
    const volatile unsigned* absent;       // a bit a space, set if it has no processor
};

// In ring 3, on the processor's own stack of the program: processor, an enum upcall_reason. %gs is
// the segment of the processor's own data. It does not return.
typedef __attribute__((regparm(3))) void upcall_function(unsigned processor, unsigned reason);

struct space_program {
    upcall_function* upcall;
    char* stacks;  // MAX_PROCESSORS, of STACK_BYTES each
    void* own;     // data of processor n: `own_bytes` at own + n * own_bytes
    uint32_t own_bytes;
    char* arguments;  // a page, for the run's arguments
    struct space_given* given;
};

// The table that the build makes of the programs (guest/spaces.cmake).
struct space_image {
    const char* name;
    const struct space_program* program;
    char *code, *data, *end;  // [code, data): ring 3 reads; [data, end): and writes
};
extern const struct space_image space_images[];
extern const unsigned space_images_number;
