// SPDX-License-Identifier: MIT
// Names of tests with a protocol as parameter show its name.
#pragma once

#include <ostream>

#include "sim/protocol/protocol.h"

namespace symsim {

inline void PrintTo(const Protocol* protocol, std::ostream* out) {
    *out << protocol->name();
}

}  // namespace symsim
