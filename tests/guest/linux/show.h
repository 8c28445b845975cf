// SPDX-License-Identifier: MIT
//
// What the programs here show of a call: its text, its result, and errno.
#pragma once

#include <errno.h>
#include <stdio.h>

#define BAD ((void*)0xc8000000)  // of the kernel

#define SHOW(call)                                     \
    do {                                               \
        errno = 0;                                     \
        const long long result = (long long)(call);    \
        printf("%s: %lld %d\n", #call, result, errno); \
    } while (0)
