// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// The few of C's functions on bytes that guests need; the compiler calls the first four by itself.
void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
