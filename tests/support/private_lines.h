// SPDX-License-Identifier: MIT
// A guest in which no processor uses another's lines, for tests of how long misses and stores take.
#pragma once

#include <filesystem>
#include <string>

namespace symsim::test {

// Assembles `program` (Intel syntax, with a label `start`) at 1 MB and writes it as an ELF image.
void write_program(const std::filesystem::path& image, const std::string& program);

// Each processor makes `access`, to an address in esi, to `lines` lines of `line_bytes` that no
// other processor uses. Then it counts itself, and processor 0 ends the run when all have.
std::string private_lines(const std::string& access, unsigned lines, unsigned line_bytes);

}  // namespace symsim::test
