// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

int strcasecmp(const char* a, const char* b);
int strncasecmp(const char* a, const char* b, size_t most);
