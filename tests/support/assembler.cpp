// SPDX-License-Identifier: MIT
#include "tests/support/assembler.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/support/symsim_program.h"

namespace symsim::test {

namespace {
constexpr std::size_t kRoom = 512;
}

std::vector<std::vector<std::uint8_t>> assemble(const std::vector<std::string>& sources) {
    std::string text = ".intel_syntax noprefix\n";
    for (std::size_t n = 0; n < sources.size(); ++n)
        text += fmt::format("{}\n.org {}, 0xf4\n", sources[n], (n + 1) * kRoom);
    const ScratchFolder folder;
    folder.write("code.s", text);
    const std::string here = folder.path().string();
    const std::string command = fmt::format(
        "cd '{}' && as --32 -o code.o code.s 2>errors && "
        "objcopy -O binary -j .text code.o code.bin 2>errors",
        here);
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error(read_text(folder.path() / "errors"));
    const std::string all = read_text(folder.path() / "code.bin");
    std::vector<std::vector<std::uint8_t>> code;
    for (std::size_t n = 0; n < sources.size(); ++n)
        code.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(n * kRoom),
                          all.begin() + static_cast<std::ptrdiff_t>((n + 1) * kRoom));
    return code;
}

}  // namespace symsim::test
