// SPDX-License-Identifier: MIT
#pragma once

// ticket.h with the 486's xadd for the numbers: getting one is first come, first served, too.

#define LOCK_ISA i486
#define LOCK_NAME "ticket-xadd"
#define NUMBER_XADD

#include "ticket.h"
