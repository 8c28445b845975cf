// SPDX-License-Identifier: MIT

// Standard input. Each byte is a bus transaction: not for timed code.

#include "cpu.h"
#include "internal.h"

size_t console_read(char* to, size_t bytes) {
    // Taken by one processor at a time: another could read the bytes that this one has counted.
    static struct { LINE_ALIGNED volatile unsigned char byte; } taken;
    take_turn(&taken.byte);
    size_t left = read_register(CONSOLE_LEFT);
    if (bytes > left) bytes = left;
    for (size_t i = 0; i < bytes; i++) to[i] = *(volatile char*)CONSOLE_BYTE;
    give_turn_back(&taken.byte);
    return bytes;
}
