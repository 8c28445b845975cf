// SPDX-License-Identifier: MIT
// Builds a guest of the source tree when a run names it and nobody has built it yet.
#pragma once

#include <filesystem>
#include <string>

namespace symsim {

// Builds <build>/guest/NAME.elf with ninja, target guest-NAME. `build` is the folder of the running
// program: a build folder, unless the program has been installed elsewhere. Returns whether the
// image is there; false if `build` is no build folder or has no such guest. Only one process at a
// time builds. Throws UserError with the compiler's messages if the build fails.
bool build_guest(const std::filesystem::path& build, const std::string& name);

}  // namespace symsim
