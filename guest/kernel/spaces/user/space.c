// SPDX-License-Identifier: MIT

// space.h: system calls, and what the kernel says about spaces.

#include "space.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "string.h"
#include "user_space.h"

struct space_given space_given __attribute__((section(".data"))) = {.heap_begin = NULL};

const struct space_info* space_info(int space) {
    if (space < 0 || (unsigned)space >= space_given.spaces) return NULL;
    return &space_given.info[space];
}

int space_self(void) {
    return space_given.number;
}

unsigned spaces(void) {
    return space_given.spaces;
}

int space_named(const char* name) {
    for (unsigned i = 0; i < space_given.spaces; i++)
        if (strcmp(space_given.info[i].name, name) == 0) return (int)i;
    return NO_SPACE;
}

enum share space_share(int other, unsigned channel, unsigned pages, void** memory) {
    const uint32_t result = system_call(CALL_SHARE, (uint32_t)other, channel, pages);
    if (result <= SHARE_MAPPED) return (enum share)result;
    *memory = (void*)result;
    return SHARE_MAPPED;
}

void space_serves(void) {
    system_call(CALL_SERVE, 0, 0, 0);
}
