// SPDX-License-Identifier: MIT
// The simulated processor on its own cache and bus, as the oracle is driven.
#pragma once

#include "tests/cpu/bench.h"
#include "tests/lockstep/vector.h"

namespace symsim::test {

class SimulatedCpu {
  public:
    SimulatedCpu();

    std::uint8_t* memory() { return bench_.memory.data(); }
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Vector& vector);

  private:
    Bench bench_;
    std::uint32_t placed_ = layout::kCode;  // where the instruction before began
};

}  // namespace symsim::test
