// SPDX-License-Identifier: MIT
// A protocol under test, and its declaration of which events can occur in which states (coverage.h,
// reached.h).
#pragma once

#include <ostream>
#include <string>

#include "sim/base/options.h"

namespace symsim::test {

struct Declared {
    std::string lines;
    std::string buffer;
    std::string locks;
};

struct ProtocolCase {
    std::string name;
    ProtocolKind kind;
    Declared (*declared)(StorePolicy policy);
};

inline void PrintTo(const ProtocolCase& protocol, std::ostream* out) {
    *out << protocol.name;
}

ProtocolCase write_through_case();
ProtocolCase write_through_allocate_case();
ProtocolCase write_through_on_change_case();
ProtocolCase write_back_case();
ProtocolCase illinois_case();
ProtocolCase write_update_case();
ProtocolCase no_cache_case();

}  // namespace symsim::test
