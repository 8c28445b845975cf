// SPDX-License-Identifier: MIT
#pragma once

// gcc's own types; gcc's stdint.h would include a C library's.
#include <stdint-gcc.h>
