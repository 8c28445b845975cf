// SPDX-License-Identifier: MIT
#pragma once

// What the system call futex is made of. Each returns what Linux does: a number or an error.

#include <stdbool.h>
#include <stdint.h>

int futex_wait(uintptr_t word, bool shared, uint32_t value, uint64_t deadline, uint32_t bits);
// `expected`: the value of FUTEX_CMP_REQUEUE; NULL: FUTEX_REQUEUE.
int futex_requeue(uintptr_t word, bool shared, unsigned wake, uintptr_t other, unsigned most,
                  const uint32_t* expected);
int futex_wake_op(uintptr_t word, bool shared, unsigned wake, uintptr_t other, unsigned wake_other,
                  uint32_t operation);
