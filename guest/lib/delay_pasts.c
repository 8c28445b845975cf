// SPDX-License-Identifier: MIT

// What processors remember of their waits for locks with backoff (locks/delay.h).

#include "locks/delay.h"

struct delay_past delay_pasts[MAX_PROCESSORS];
