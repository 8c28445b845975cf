// SPDX-License-Identifier: MIT
// Names of tests with a protocol as parameter show its name.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>

#include "sim/protocol/protocol.h"

namespace symsim {

// The name as a part of a test's name.
inline std::string word(const Protocol* protocol) {
    std::string name(protocol->name());
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

inline void PrintTo(const Protocol* protocol, std::ostream* out) {
    *out << protocol->name();
}

}  // namespace symsim
