// SPDX-License-Identifier: MIT

#include "process.h"

struct context_block context_blocks[MAX_PROCESSES];
