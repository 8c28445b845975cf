// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

typedef long time_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef int ssize_t;
typedef int pid_t;
