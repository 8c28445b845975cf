// SPDX-License-Identifier: MIT
// Both processors side by side: the same vector to each, and whether they left the same.
#pragma once

#include <map>
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
    explicit Lockstep(World world);

    // What differs, with everything needed to see why; nothing if all is the same.
    std::optional<std::string> differs(std::uint64_t seed, const Vector& vector);
    // Memory beside what the vectors' own comparison looks at.
    std::optional<std::string> memory_differs();

    bool last_faulted() const { return last_faulted_; }
    // How often what was excused.
    const std::map<std::string, std::uint64_t>& excuses() const { return excuses_; }

  private:
    // What is compared and put back after each vector begins here, and is as large as image_.
    static constexpr std::uint32_t kFirst = layout::kData;

    template <class Cpu>
    void set_up(Cpu& cpu);
    template <class Cpu>
    Outcome execute(Cpu& cpu, const Vector& vector);
    std::string compare(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

    World world_;
    std::vector<std::uint8_t> image_;  // what stands there before each vector
    SimulatedCpu simulated_;
    std::unique_ptr<UnicornCpu> oracle_;
    std::uint64_t executed_ = 0;
    std::uint32_t placed_ = layout::kCode;
    std::map<std::string, std::uint64_t> excuses_;
    bool last_faulted_ = false;
};

}  // namespace symsim::test
