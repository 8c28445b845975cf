// SPDX-License-Identifier: MIT
// Finds the image file that guest.image of the config names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace symsim {

// guest.args.* of the config: from the name to the value as text.
using GuestArguments = std::map<std::string, std::string>;

// Replaces {NAME} by the value of guest.args.NAME: "counter-{lock}" becomes "counter-backoff".
// Throws UserError for a name that guest.args does not have.
std::string expand_image_name(const std::string& name, const GuestArguments& args);

// The first file of this name, with or without ".elf", in `folders` in their order. The machine
// passes the working folder and the folder of built guests. load_config() has already looked in the
// config file's folder.
std::optional<std::filesystem::path> search_image(
    const std::string& name, const std::vector<std::filesystem::path>& folders);

// The same file. If there is none, throws UserError naming all paths tried.
std::filesystem::path find_image(const std::string& name,
                                 const std::vector<std::filesystem::path>& folders);

}  // namespace symsim
