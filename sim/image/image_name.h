// SPDX-License-Identifier: MIT
// Finds the image file that guest.image of the config names.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace symsim {

// guest.args.* of the config: from the name to the value as text.
using GuestArguments = std::map<std::string, std::string>;

// Replaces {NAME} by the value of guest.args.NAME: "counter-{lock}" becomes "counter-backoff".
// Throws UserError for a name that guest.args does not have.
std::string expand_image_name(const std::string& name, const GuestArguments& args);

// The file of this name, with or without ".elf", in the working folder `here`, else in the folder
// `guest` of `build`, the folder of the running program. load_config() has already looked in the
// config file's folder. If there is none, throws UserError that names all paths tried and, if
// `build` is a build folder, the command that builds a guest of the source tree.
std::filesystem::path find_image(const std::string& name, const std::filesystem::path& build,
                                 const std::filesystem::path& here = ".");

}  // namespace symsim
