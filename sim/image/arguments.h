// SPDX-License-Identifier: MIT
// What the guest gets besides its image. Arguments: the number of processors, the seed, and
// guest.args.* of the config. They are written as text into a buffer of the guest before the
// machine starts. And the file that it reads as its standard input (guest.stdin).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/image/image.h"
#include "sim/image/image_name.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// Lines "name=value": processors and seed, then `args`. load_config() has checked that the guest
// can read them back unchanged.
std::string argument_text(unsigned processors, std::uint32_t seed, const GuestArguments& args);

// The words of guest.argv as further lines, "1=first" and so on, for a guest that passes them to
// main(): it has the symbol arguments_words. Empty for a Linux program, which gets them otherwise.
// Throws UserError if the guest has no use for guest.argv or guest.env.
std::string word_lines(const Image& image, const std::string& argv, const std::string& env);

// Writes the text to the guest's symbol symsim_boot_args, and the size of memory in bytes to its
// symbol symsim_memory_bytes. What has no symbol is not written. Throws UserError if there is not
// enough room.
void write_arguments(const Image& image, const std::string& text, Memory& memory);

struct StandardInput {
    std::vector<std::uint8_t> bytes;
    std::string sha256;  // of the bytes; empty if there is no input
};

// An empty path is not a file. Throws UserError if the file cannot be read.
StandardInput load_standard_input(const std::filesystem::path& path);
// All that symsim's own standard input has.
StandardInput callers_standard_input();

}  // namespace symsim
