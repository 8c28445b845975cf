// SPDX-License-Identifier: MIT
#pragma once

// static.h with 16 slots.

#define LOCK_NAME "static-16"
#define LOCK_SLOTS 16

#include "static.h"
