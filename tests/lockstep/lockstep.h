// SPDX-License-Identifier: MIT
// Both processors side by side: the same vector to each, and whether they left the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/lockstep/simulated_cpu.h"
#include "tests/lockstep/unicorn_cpu.h"
#include "tests/lockstep/vector.h"

namespace symsim::test {

class Lockstep {
  public:
    Lockstep();

    // What differs, with everything needed to see why; nothing if all is the same.
    std::optional<std::string> differs(std::uint64_t seed, const Vector& vector);
    // All of memory, where the vectors' own comparison looks at the data only.
    std::optional<std::string> memory_differs();

    bool last_faulted() const { return last_faulted_; }

  private:
    void prepare(std::uint8_t* memory, const Vector& vector);
    std::string compare(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

    std::vector<std::uint8_t> data_;  // what stands in the data before each vector
    SimulatedCpu simulated_;
    UnicornCpu oracle_;
    std::uint32_t placed_ = layout::kCode;
    bool last_faulted_ = false;
};

}  // namespace symsim::test
