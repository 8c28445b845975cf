// SPDX-License-Identifier: MIT
// From the text of guest.image to a file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace symsim {

// guest.args.* of the config: name to the value's text.
using GuestArguments = std::map<std::string, std::string>;

// Puts arguments in place of their names: "counter-{lock}" becomes "counter-backoff". Throws
// UserError for a name that guest.args does not have.
std::string expand_image_name(const std::string& name, const GuestArguments& args);

// The first file of this name, with or without ".elf", in these folders in their order: the working
// folder, the config file's, the one of built guests. Throws UserError naming all that was tried.
std::filesystem::path find_image(const std::string& name,
                                 const std::vector<std::filesystem::path>& folders);

}  // namespace symsim
