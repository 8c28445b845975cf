// SPDX-License-Identifier: MIT

// The run queues, chosen when the kernel is built: a file of queues/.

#include "kernel.h"

#ifndef KERNEL_QUEUES_FILE
#define KERNEL_QUEUES_FILE "queues/local.h"
#endif

#include KERNEL_QUEUES_FILE
