// SPDX-License-Identifier: MIT
#pragma once

// static-every.h with 1 slot.

#define LOCK_NAME "static-every-1"
#define LOCK_SLOTS 1

#include "static-every.h"
