// SPDX-License-Identifier: MIT
// Executes the same test vector on the simulated processor and on Unicorn, the oracle, and compares
// what they leave. lockstep_test.cpp makes one Lockstep per world and calls differs() per vector.
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

    // Executes the vector on both. Returns a report of the difference, or nothing if there is none.
    std::optional<std::string> differs(std::uint64_t seed, const Vector& vector);
    // Compares the rest of memory, which differs() does not compare.
    std::optional<std::string> memory_differs();

    bool last_faulted() const { return last_faulted_; }
    // How often each excuse applied, by its name.
    const std::map<std::string, std::uint64_t>& excuses() const { return excuses_; }

  private:
    // First address of the memory that is compared for each vector and restored before it. It is as
    // large as image_.
    static constexpr std::uint32_t kFirst = layout::kData;

    template <class Cpu>
    void set_up(Cpu& cpu);
    template <class Cpu>
    Outcome execute(Cpu& cpu, const Vector& vector);
    std::string compare(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

    World world_;
    std::vector<std::uint8_t> image_;  // contents of this memory before each vector
    SimulatedCpu simulated_;
    std::unique_ptr<UnicornCpu> oracle_;
    std::uint64_t executed_ = 0;
    std::uint32_t placed_ = layout::kCode;
    std::map<std::string, std::uint64_t> excuses_;
    bool last_faulted_ = false;
};

}  // namespace symsim::test
