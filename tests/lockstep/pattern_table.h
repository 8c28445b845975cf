// SPDX-License-Identifier: MIT
// Collects the patterns of a grammar.
#pragma once

#include <vector>

#include "sim/cpu/state/flags.h"
#include "tests/lockstep/grammar.h"

namespace symsim::test {

class PatternTable {
  public:
    Pattern& add(const char* name, const char* encoding, unsigned bits, std::uint32_t undefined = 0,
                 Trait trait = Trait::plain) {
        return all.emplace_back(Pattern{name, encoding, static_cast<std::uint8_t>(bits), undefined,
                                        trait, false, added, digit});
    }
    // Adds a byte form and the corresponding form of operand size.
    void both(const char* name, const char* byte_form, const char* word_form,
              std::uint32_t undefined = 0, Trait trait = Trait::plain) {
        add(name, byte_form, 8, undefined, trait).lockable = lockable;
        add(name, word_form, 0, undefined, trait).lockable = lockable;
    }

    std::vector<Pattern> all;
    // Values for the forms added from now on.
    std::uint8_t added = 0;
    std::uint8_t digit = 0;
    bool lockable = false;
};

}  // namespace symsim::test
