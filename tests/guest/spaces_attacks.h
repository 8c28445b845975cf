// SPDX-License-Identifier: MIT
#pragma once

// What the witness and each attacker of spaces_witness.c and spaces_attacker.c share.

#include <stdbool.h>
#include <stdint.h>

#define WITNESS 0
#define CHANNEL 1          // both ask for it
#define NOBODYS_CHANNEL 2  // only the attackers ask for it
#define OTHER_PAGES 3      // both ask for it, the witness for another number of pages
#define SECRET 0x5EC2E7

struct meeting {
    volatile uint32_t* secret;   // the witness's variable
    volatile uint32_t* another;  // memory that the witness shares with another space, if any
    volatile uintptr_t code;     // of the witness
    volatile bool told;          // those above are valid
    volatile bool attacks;       // set by the attacker just before
    volatile bool survived;      // ... and after; it should not live until then
};
