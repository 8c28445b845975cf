// SPDX-License-Identifier: MIT
#pragma once

// static-every.h with 16 slots.

#define LOCK_NAME "static-every-16"
#define LOCK_SLOTS 16

#include "static-every.h"
