// SPDX-License-Identifier: MIT
#pragma once

// static-every.h with 64 slots.

#define LOCK_NAME "static-every-64"
#define LOCK_SLOTS 64

#include "static-every.h"
