// SPDX-License-Identifier: MIT
#pragma once

// static.h with 1 slot.

#define LOCK_NAME "static-1"
#define LOCK_SLOTS 1

#include "static.h"
