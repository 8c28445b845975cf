// SPDX-License-Identifier: MIT
// Instructions as text, assembled by GNU as: an assembler that was not written here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace symsim::test {

// Each source, in Intel's syntax, as the bytes of 32-bit code at an address divisible by 512, with
// hlt behind it. No source may be longer. All are assembled at once, since starting as takes
// longer than its work. Throws std::runtime_error with what as says.
std::vector<std::vector<std::uint8_t>> assemble(const std::vector<std::string>& sources);

}  // namespace symsim::test
