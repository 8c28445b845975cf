// SPDX-License-Identifier: MIT
#pragma once

// Between the files of guest/lib; programs use symsim.h.

#include <stdarg.h>
#include <stdint.h>

// On processor 0, once, before any arg_ function.
void arguments_split(void);

// First state of a processor's generator.
uint32_t random_seed(uint32_t seed, unsigned processor);

// Writes `format` through put, a byte at a time; returns how many bytes.
int format_text(void (*put)(void* to, char byte), void* to, const char* format, va_list values);
