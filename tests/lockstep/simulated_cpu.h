// SPDX-License-Identifier: MIT
// The simulated processor on its own cache and bus, as the oracle is driven.
//
// It has no interrupt table, so that every exception ends the run and is named by the report,
// before anything has been pushed: Unicorn does not deliver exceptions either.
#pragma once

#include "tests/cpu/bench.h"
#include "tests/lockstep/world.h"

namespace symsim::test {

class SimulatedCpu {
  public:
    explicit SimulatedCpu(Isa isa);

    std::uint8_t* memory() { return bench_.memory.data(); }
    // Executes start-up code up to its hlt. From what it leaves every vector starts.
    void boot(std::uint32_t eip);
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Start& start);

  private:
    Bench bench_;
    Context fresh_;  // what each vector starts from
    System fresh_system_;
};

}  // namespace symsim::test
