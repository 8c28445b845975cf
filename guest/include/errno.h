// SPDX-License-Identifier: MIT
#pragma once

extern int errno;  // one for all processors, not one each

#define EDOM 33
#define EINVAL 22
#define ENOMEM 12
#define ERANGE 34

// Results of pthread.h and unistd.h, which strerror does not name.
#define EBADF 9
#define EAGAIN 11
#define EBUSY 16
#define EDEADLK 35
