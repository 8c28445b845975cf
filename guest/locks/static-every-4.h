// SPDX-License-Identifier: MIT
#pragma once

// static-every.h with 4 slots.

#define LOCK_NAME "static-every-4"
#define LOCK_SLOTS 4

#include "static-every.h"
