// SPDX-License-Identifier: MIT
// Random machines with random guests in them, for what must hold of every run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/symsim_program.h"

namespace symsim::test {

// The code of a guest for so many processors, to be entered at its first byte.
using MakeGuest = std::function<std::vector<std::uint8_t>(std::uint32_t seed, unsigned processors)>;
std::vector<std::uint8_t> random_guest(std::uint32_t seed, unsigned processors);
std::vector<std::uint8_t> random_system(std::uint32_t seed, unsigned processors);

// Writes the image of one guest to `image`. Returns the text of a config that runs it, by the name
// `image_name`, in a machine made from the same seed.
std::string write_random_guest(unsigned seed, const MakeGuest& make,
                               const std::filesystem::path& image, const std::string& image_name);
// The config of one guest in one machine, written with its image to the folder.
std::filesystem::path write_random_run(const ScratchFolder& folder, unsigned seed,
                                       const MakeGuest& make);

// Arguments for a machine whose lines have owners, and of which none stays long.
extern const std::vector<std::string> kCopiesBack;

// Of SYMSIM_RANDOM_GUESTS seeds (or `otherwise`) from SYMSIM_FIRST_SEED on, until one fails. `test`
// says whether the guest came to its own end: most must.
void for_many_seeds(unsigned otherwise, const std::function<bool(unsigned seed)>& test);

}  // namespace symsim::test
