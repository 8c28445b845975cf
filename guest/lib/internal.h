// SPDX-License-Identifier: MIT
#pragma once

// Between the files of guest/lib; programs use symsim.h.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "ordering.h"

// On processor 0, once, before any arg_ function.
void arguments_split(void);

// First state of a processor's generator.
uint32_t random_seed(uint32_t seed, unsigned processor);

// Writes `format` through put, a byte at a time; returns how many bytes.
int format_text(void (*put)(void* to, char byte), void* to, const char* format, va_list values);

// To the console; one call's text stays together.
int console_format(const char* format, va_list values);
void console_write(const char* text, size_t bytes);

// Turns of the library's own: at the console, at the heap. Not a lock of guest/locks: it would
// appear in the lock table of every experiment. The byte lies alone in its line.
void take_turn(volatile unsigned char* taken);
void give_turn_back(volatile unsigned char* taken);

// The memory malloc hands out, aligned to 16.
struct heap {
    char *begin, *end;
};
struct heap heap_bounds(void);
