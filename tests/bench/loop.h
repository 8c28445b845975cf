// SPDX-License-Identifier: MIT
// An endless loop as machine code, for the benchmarks of the decoder and the processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/assembler.h"
#include "tests/support/small_machine.h"

namespace symsim::test {

// Each iteration increments esi, so that no two iterations have the same registers and the fast
// engine cannot skip any. With `loads` the loop also loads from lines that stay in the cache.
inline std::vector<std::uint8_t> assembled_loop(bool loads) {
    const std::string load = loads ? "mov ecx, eax\nand ecx, 0x3fc\nadd ebx, [ecx+0x200000]\n" : "";
    return assemble_program(
        ".intel_syntax noprefix\n.globl start\nstart:\nmov eax, 1\nagain:\n"
        ".rept 16\n"
        "inc esi\nadd eax, esi\nmov edx, eax\nshl edx, 13\nxor eax, edx\n" +
            load +
            "mov edx, eax\nshr edx, 17\nxor eax, edx\n"
            "test al, 4\njz 1f\nlea edi, [ebx+eax*4]\n1:\n"
            ".endr\n"
            "jmp again\n",
        SmallMachine::kCode);
}

}  // namespace symsim::test
