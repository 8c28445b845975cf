// SPDX-License-Identifier: MIT

#include "internal.h"
#include "sections.h"

SPIN_FUNCTION void take_turn(volatile unsigned char* taken) {
    while (exchange_byte(taken, 1) != 0)
        while (*taken) {
        }
}

void give_turn_back(volatile unsigned char* taken) {
    exchange_byte(taken, 0);
}
