// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

int strcasecmp(const char* a, const char* b);
int strncasecmp(const char* a, const char* b, size_t most);

// The names of BSD for functions of string.h.
void bzero(void* to, size_t bytes);
void bcopy(const void* from, void* to, size_t bytes);  // the two may overlap
int bcmp(const void* a, const void* b, size_t bytes);
char* index(const char* text, int byte);
char* rindex(const char* text, int byte);
