// SPDX-License-Identifier: MIT
// A Linux executable: it runs on the guest linux.elf, a kernel, which finds it in memory as a boot
// loader would have placed it there (guest/linux/program.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/image/given_files.h"
#include "sim/image/image.h"

namespace symsim {

// By its headers: for the i386, position-independent, or linked as Linux programs are.
bool is_linux_program(const std::vector<std::uint8_t>& file);
// Throws UserError, which names the file and the cure, if an ELF file is not a whole program for the
// i386, or a dynamic one.
void refuse_no_program(const std::vector<std::uint8_t>& file, const std::filesystem::path& path);

// Words as a shell has them: separated by spaces, with '...', "..." and \ as there. Throws
// UserError that begins with `where` if a quotation does not end.
std::vector<std::string> split_words(const std::string& text, const std::string& where);
std::string join_words(const std::vector<std::string>& words);  // which split_words() gives back

struct LinuxProgram {
    std::filesystem::path path;
    std::vector<std::uint8_t> file;
    std::vector<std::string> arguments, variables;  // without argv[0]
    std::vector<GivenFile> files = {};
};

// The kernel's image with the program above the kernel, and with the program's symbols. Throws
// UserError, which names the file and the cure, if the kernel could not run it.
Image with_program(Image kernel, LinuxProgram program, std::uint64_t memory_bytes);

}  // namespace symsim
