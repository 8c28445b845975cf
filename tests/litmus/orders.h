// SPDX-License-Identifier: MIT
// The orders in which the accesses of a litmus test can take effect, as schedules.
#pragma once

#include <string>
#include <vector>

#include "tests/litmus/store_buffers.h"

namespace symsim::test {

// A schedule (schedule.holds) for each order of the test's accesses on a machine of processors that
// execute in order, with store buffers of this depth. Loads, exchanges and fences take effect in
// program order, and so do stores; a load may come before earlier stores of its thread. Positions
// are counted from the first access of each thread.
std::vector<std::string> schedules(const LitmusTest& test, unsigned buffer_depth);

}  // namespace symsim::test
