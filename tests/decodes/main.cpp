// SPDX-License-Identifier: MIT
// Says which encodings the simulated processor has, for tests/guest/check_386_test.py.
//
//     decodes ISA <ENCODINGS
//
// A line of input is the bytes of one instruction in hexadecimal, "f0 0f b1 0b"; what follows the
// instruction is ignored. A line of output is "yes" or "no".
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/cpu/isa/decoder.h"
#include "sim/cpu/isa/instruction_sets.h"

int main(int argc, char** argv) {
    using namespace symsim;
    const std::string isa = argc == 2 ? argv[1] : "";
    const auto set = std::find_if(kInstructionSets.begin(), kInstructionSets.end(),
                                  [&](const InstructionSet& s) { return s.name == isa; });
    if (set == kInstructionSets.end()) {
        fmt::print(stderr, "usage: decodes i386|i486|i586|i686 <ENCODINGS\n");
        return 2;
    }
    const Decoder decoder(set->isa, 16);
    std::string text;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        words >> std::hex;
        std::vector<std::uint8_t> bytes;
        for (unsigned byte = 0; words >> byte;) bytes.push_back(static_cast<std::uint8_t>(byte));
        Op op;
        const bool has = !decoder.decode(bytes.data(), bytes.size(), true, op);
        text += has ? "yes\n" : "no\n";
    }
    std::cout << text;
    return 0;
}
