// SPDX-License-Identifier: MIT
// A guest's symbol table: names of addresses, for messages and results, and addresses of names.
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
    std::uint32_t size = 0;  // from the file; 0 for an assembly label
    std::uint64_t end = 0;   // one past the last address it names; for a label, its section's end
    bool typed = false;      // a function or an object, not just a label
    bool global = false;
    bool absolute = false;  // a number from the linker script, not the name of an address
    bool function = false;
    std::string demangled = {};  // a name of C++ as people read it; else empty

    const std::string& shown() const { return demangled.empty() ? name : demangled; }
};

class Symbols {
  public:
    Symbols() = default;
    explicit Symbols(std::vector<Symbol> symbols);

    // "lock_acquire+0x12", "counter_lock", or "0x00101234" where nothing has a name.
    std::string describe(Address address) const;

    // The symbol that the address lies in: a function, an object, or an assembly label before it in
    // the same section. Null if there is none.
    const Symbol* around(Address address) const;

    // The symbol of this name, mangled or not. A global symbol hides local ones. Null if there is
    // none, or if several local symbols at different addresses share the name: see ambiguous().
    const Symbol* find(std::string_view name) const&;
    const Symbol* find(std::string_view name) const&& = delete;  // the symbol would be gone
    bool ambiguous(std::string_view name) const;

    // The answers of around() for all addresses that have a name, as disjoint ranges in order of
    // address.
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
