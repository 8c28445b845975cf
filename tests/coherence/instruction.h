// SPDX-License-Identifier: MIT
// The random accesses of a port: instructions of a few steps each, as a processor would make them.
// An operand that crosses a dword, a line or a page is accessed in two steps. If it crosses a page,
// the second step can be on any page, since neighbouring virtual pages can be anywhere in memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/coherence/machine.h"

namespace symsim::test {

struct Step {
    enum class What : std::uint8_t {
        load,
        store,
        fetch,
        locked_load,
        locked_store,
        exchange,
        unlock,
        unlock_line
    };
    What what = What::load;
    Address address = 0;
    std::uint32_t size = 1;
    std::uint32_t value = 0;         // of stores
    bool branched = false;           // of fetches
    std::uint32_t pause_clocks = 0;  // after the step before
};
constexpr std::array<std::string_view, 8> kStepNames = {
    "load", "store", "fetch", "locked_load", "locked_store", "exchange", "unlock", "unlock_line"};
constexpr std::string_view name(Step::What what) {
    return kStepNames[index(what)];
}
constexpr bool is_unlock(Step::What what) {
    return what >= Step::What::unlock;
}

using Instruction = std::vector<Step>;

class Instructions {
  public:
    explicit Instructions(const RoundConfig& round) : round_(round) {}
    void next(Random& random, Instruction& instruction) const;
    // An access that a port tries speculatively. It lies within one dword.
    Step ahead(Random& random) const;
    // All lines that accesses can use.
    std::vector<Address> lines() const;

  private:
    struct Part {
        Address address;
        std::uint32_t size;
    };
    struct Operand {
        std::uint32_t parts = 0;
        std::array<Part, 2> part;
    };
    Operand operand(Random& random) const;
    Operand operand(Random& random, std::uint32_t page) const;

    RoundConfig round_;
};

}  // namespace symsim::test
