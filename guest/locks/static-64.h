// SPDX-License-Identifier: MIT
#pragma once

// static.h with 64 slots.

#define LOCK_NAME "static-64"
#define LOCK_SLOTS 64

#include "static.h"
