// SPDX-License-Identifier: MIT
#pragma once

// Internal header of guest/lib; programs use symsim.h.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "ordering.h"

// Processor 0 calls it once, before any arg_ function.
void arguments_split(void);

// Initial state of a processor's random generator.
uint32_t random_seed(uint32_t seed, unsigned processor);

// Writes `format` through put, one byte at a time; returns the number of bytes.
int format_text(void (*put)(void* to, char byte), void* to, const char* format, va_list values);

// Write to the console; the text of one call is not interleaved with others'.
int console_format(const char* format, va_list values);
void console_write(const char* text, size_t bytes);

// Reads at most `bytes` bytes of the input; fewer only at its end.
size_t console_read(char* to, size_t bytes);

// The library's own lock, for console, heap and pages. Not a lock of guest/locks, because it would
// appear in the lock table of every experiment. Put the byte in a line of its own.
void take_turn(volatile unsigned char* taken);
void give_turn_back(volatile unsigned char* taken);

// Memory for malloc, aligned to 16.
struct heap {
    char *begin, *end;
};
struct heap heap_bounds(void);

// Of main(): only programs with files of a user get the words of guest.argv.
#ifdef SYMSIM_USER_PROGRAM
char** arguments_words(char** program);  // `program`: the first word; the array ends with NULL
int arguments_count(void);
#define MAIN_COUNT arguments_count()
#define MAIN_WORDS(program) arguments_words(program)
#else
#define MAIN_COUNT 1
#define MAIN_WORDS(program) program
#endif
