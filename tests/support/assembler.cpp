// SPDX-License-Identifier: MIT
// Runs as, objcopy and ld in a scratch folder.
#include "tests/support/assembler.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr std::size_t kRoom = 512;

// Writes `source` to code.s, runs the commands and returns the bytes they leave in code.bin.
std::vector<std::uint8_t> made_by(const std::string& source, const std::string& commands) {
    const ScratchFolder folder;
    folder.write("code.s", source);
    const std::string here = folder.path().string();
    const std::string line = fmt::format("cd '{}' && ( {} ) 2>messages", here, commands);
    if (std::system(line.c_str()) != 0)
        throw std::runtime_error(read_text(folder.path() / "messages"));
    const std::string made = read_text(folder.path() / "code.bin");
    return {made.begin(), made.end()};
}

}  // namespace

std::vector<std::vector<std::uint8_t>> assemble(const std::vector<std::string>& sources) {
    std::string text = ".intel_syntax noprefix\n";
    for (std::size_t n = 0; n < sources.size(); ++n)
        text += fmt::format("{}\n.org {}, 0xf4\n", sources[n], (n + 1) * kRoom);
    const auto all =
        made_by(text, "as --32 -o code.o code.s && objcopy -O binary -j .text code.o code.bin");
    std::vector<std::vector<std::uint8_t>> code;
    for (auto from = all.begin(); from != all.end(); from += kRoom)
        code.emplace_back(from, from + kRoom);
    return code;
}

std::vector<std::uint8_t> assemble_program(const std::string& source, Address base) {
    return made_by(source,
                   fmt::format("as --32 -o code.o code.s && ld -m elf_i386 -Ttext {:#x} -e start "
                               "--oformat binary -o code.bin code.o",
                               base));
}

}  // namespace symsim::test
