// SPDX-License-Identifier: MIT
// What every random system guest has: its tables and its handlers, as text for an assembler.
#pragma once

#include <string>

namespace symsim::test {

// Constants, to stand in front of all.
std::string system_constants(unsigned processors);
// Handlers, then tables; behind the guest's own code.
std::string system_handlers();
std::string system_tables(unsigned processors);

}  // namespace symsim::test
