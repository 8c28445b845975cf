// SPDX-License-Identifier: MIT
#include "tests/support/private_lines.h"

#include <fmt/format.h>

#include "sim/base/types.h"
#include "tests/support/assembler.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {

void write_program(const std::filesystem::path& image, const std::string& program) {
    constexpr Address kCode = 0x10'0000;
    ElfWriter elf;
    elf.code(".text", kCode,
             assemble_program(".intel_syntax noprefix\n.globl start\n" + program, kCode))
        .entry(kCode);
    elf.write(image);
}

std::string private_lines(const std::string& access, unsigned lines, unsigned line_bytes) {
    return fmt::format(R"(
            start:  mov esi, [0xc8000000]
                    shl esi, 16
                    add esi, 0x200000
                    mov ecx, {}
            next:   {}
                    add esi, {}
                    dec ecx
                    jnz next
                    lock inc dword ptr [0x1f0000]
                    cmp dword ptr [0xc8000000], 0
                    jne other
            wait:   mov eax, [0x1f0000]
                    cmp eax, [0xc8000004]
                    jne wait
                    xor eax, eax
                    mov [0xd0001000], eax
            other:  hlt
        )",
                       lines, access, line_bytes);
}

}  // namespace symsim::test
