// SPDX-License-Identifier: MIT
// The files and folders of the host that a Linux program gets (guest.files).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace symsim {

// A word of guest.files: INSIDE=HOST, or HOST alone, which has the same path inside.
struct GivenName {
    std::string inside;
    std::filesystem::path host;
};
// Throws UserError that begins with `where`.
std::vector<GivenName> given_names(const std::string& words, const std::string& where);

// The path that the program sees: absolute, without "." and "..".
std::string path_inside(const std::filesystem::path& path);

// A file, or an empty folder, with the kernel's st_mode of it.
struct GivenFile {
    std::string path;
    std::uint32_t mode;
    std::vector<std::uint8_t> bytes;
};
// All files of the words, also those in folders. Throws UserError, which names the path and the
// cure, for one that cannot be read, and for a path that two of them have.
std::vector<GivenFile> read_given_files(const std::string& words);

}  // namespace symsim
