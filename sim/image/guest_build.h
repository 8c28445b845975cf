// SPDX-License-Identifier: MIT
// Builds a guest of the source tree when a run names it, if it is missing or of other sources.
#pragma once

#include <filesystem>
#include <string>

namespace symsim {

// Whether one of the files that the image was made of has changed. IMAGE.sources lists them with
// their SHA-256 (guest/cached.py). An image without such a list is the user's own: false.
bool outdated(const std::filesystem::path& image);

// Builds <build>/guest/NAME.elf with ninja, target guest-NAME, unless it is there and not outdated.
// `build` is the folder of the running program: a build folder, unless the program has been
// installed elsewhere. Returns whether the image is there; false if `build` is no build folder or
// has no such guest. Only one process at a time builds. Throws UserError with the compiler's
// messages if the build fails.
bool build_guest(const std::filesystem::path& build, const std::string& name);

}  // namespace symsim
