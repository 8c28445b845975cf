// SPDX-License-Identifier: MIT
#pragma once

int sched_yield(void);  // for threads of pthread.h; returns 0
