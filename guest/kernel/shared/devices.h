// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

// Writes to the console or the results. The text of one call is not interleaved with others'.
void device_write(uintptr_t device, const char* text, unsigned bytes);
