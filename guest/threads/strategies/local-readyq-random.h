// SPDX-License-Identifier: MIT
#pragma once

// local-readyq.h, new threads at random: the alternative of ALL Figures 3.1 to 3.4.

#define STRATEGY_NAME "local-readyq-random"
#define PLACE_AT_RANDOM

#include "local-readyq.h"
