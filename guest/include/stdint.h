// SPDX-License-Identifier: MIT
#pragma once

// gcc's own; its file of this name would look for a C library's.
#include <stdint-gcc.h>
