// SPDX-License-Identifier: MIT
#pragma once

// The exceptions that ring 3 can cause.

#include "interrupts.h"

// Installs the handler for all of them, and lets ring 3 raise those that are instructions of its
// own. Before it is called, an exception in ring 0 has stopped the run: it is a bug of the kernel.
void on_user_exceptions(interrupt_handler* handler);
const char* exception_name(unsigned vector);  // for reports
