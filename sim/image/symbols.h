// SPDX-License-Identifier: MIT
// Names of a guest's addresses, for messages and results, and addresses of its names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/base/types.h"

namespace symsim {

struct Symbol {
    std::string name;
    Address address = 0;
    std::uint32_t size = 0;  // as the file says; 0 for a label of assembly
    std::uint64_t end = 0;   // behind the last address it names: of a label, its section's end
    bool typed = false;      // a function or an object, not a mere label
    bool global = false;
    bool absolute = false;  // a number of the linker script: not the name of a place
};

class Symbols {
  public:
    Symbols() = default;
    explicit Symbols(std::vector<Symbol> symbols);

    // "lock_acquire+0x12", "counter_lock", or "0x00101234" where nothing has a name.
    std::string describe(Address address) const;

    // What the address lies in: a function, an object, or behind a label of assembly. Null if there
    // is no such.
    const Symbol* around(Address address) const;

    // Null if there is none. A global one hides local ones, and if several local ones at different
    // addresses share the name, none is meant: see ambiguous().
    const Symbol* find(std::string_view name) const;
    bool ambiguous(std::string_view name) const;

    // What around() says of every address that has a name: disjoint, in order of address.
    std::vector<NamedRange> ranges() const;

    const std::vector<Symbol>& all() const { return symbols_; }  // sorted by address

  private:
    struct Match {
        const Symbol* symbol = nullptr;
        bool ambiguous = false;
    };
    Match match(std::string_view name) const;

    std::vector<Symbol> symbols_;
    std::vector<std::uint32_t> by_name_;  // indices into symbols_
};

}  // namespace symsim
