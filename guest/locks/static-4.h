// SPDX-License-Identifier: MIT
#pragma once

// static.h with 4 slots.

#define LOCK_NAME "static-4"
#define LOCK_SLOTS 4

#include "static.h"
