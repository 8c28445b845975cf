// SPDX-License-Identifier: MIT
// The simulated processor on its own cache and bus, with the same interface as UnicornCpu.
//
// The processor has no interrupt table, so every exception ends the run before anything is pushed,
// and the failure report names it. Unicorn does not deliver exceptions either.
#pragma once

#include "tests/cpu/bench.h"
#include "tests/lockstep/world.h"

namespace symsim::test {

class SimulatedCpu {
  public:
    explicit SimulatedCpu(Isa isa);

    std::uint8_t* memory() { return bench_.memory.data(); }
    // Executes start-up code up to its hlt. Every vector starts from the state it leaves.
    void boot(std::uint32_t eip);
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Start& start);

  private:
    Bench bench_;
    Context fresh_;  // the state from which each vector starts
    System fresh_system_;
};

}  // namespace symsim::test
