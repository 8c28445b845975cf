// SPDX-License-Identifier: MIT
#pragma once

// Older programs include this header for malloc() and free().

#include <stdlib.h>
