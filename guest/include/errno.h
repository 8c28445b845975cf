// SPDX-License-Identifier: MIT
#pragma once

extern int errno;  // one for all processors, not one each

#define EDOM 33
#define EINVAL 22
#define ENOMEM 12
#define ERANGE 34
