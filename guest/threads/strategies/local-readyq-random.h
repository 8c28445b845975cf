// SPDX-License-Identifier: MIT
#pragma once

// local-readyq.h with new threads placed at random: the alternative in ALL Figures 3.1 to 3.4.

#define STRATEGY_NAME "local-readyq-random"
#define PLACE_AT_RANDOM

#include "local-readyq.h"
