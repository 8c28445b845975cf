// SPDX-License-Identifier: MIT
// Finds arguments of the config that a guest has never looked up: most are misspelt.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/image/image.h"
#include "sim/image/image_name.h"
#include "sim/observe/report.h"

namespace symsim {

// `asked`: the names that the guest has looked up. An argument that `image_name` contains as {name}
// counts as used. Empty for an image whose lookups have no probe points: nothing is known of it.
std::vector<UnusedArgument> unused_arguments(const Image& image, const std::string& image_name,
                                             const GuestArguments& arguments,
                                             const std::set<std::string>& asked);

}  // namespace symsim
