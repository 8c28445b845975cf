// SPDX-License-Identifier: MIT
// The tables and handlers that every random system guest has, as text for an assembler.
#pragma once

#include <string>

namespace symsim::test {

// Constants; they come first in the program.
std::string system_constants(unsigned processors);
// Handlers, then tables; they come after the guest's own code.
std::string system_handlers();
std::string system_tables(unsigned processors);

}  // namespace symsim::test
