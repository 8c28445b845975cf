// SPDX-License-Identifier: MIT
// Random machines with random guests, for tests of properties that every run must have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/symsim_program.h"

namespace symsim::test {

// Makes the code of a guest for `processors` processors. Its entry is the first byte.
using MakeGuest = std::function<std::vector<std::uint8_t>(std::uint32_t seed, unsigned processors)>;
std::vector<std::uint8_t> random_guest(std::uint32_t seed, unsigned processors);
std::vector<std::uint8_t> random_system(std::uint32_t seed, unsigned processors);

// Writes the image of one guest to `image`. Returns the text of a config that runs the guest in a
// machine made from the same seed; it refers to the image as `image_name`.
std::string write_random_guest(unsigned seed, const MakeGuest& make,
                               const std::filesystem::path& image, const std::string& image_name);
// Writes config, image and standard input of one guest to the folder. Returns the path of the
// config.
std::filesystem::path write_random_run(const ScratchFolder& folder, unsigned seed,
                                       const MakeGuest& make);

// Arguments for a machine with write-back caches so small that lines are evicted soon.
extern const std::vector<std::string> kCopiesBack;

// Calls `test` for SYMSIM_RANDOM_GUESTS seeds (default `otherwise`) from SYMSIM_FIRST_SEED on,
// until one fails. `test` returns whether the guest ended before the time limit; 90 % must.
void for_many_seeds(unsigned otherwise, const std::function<bool(unsigned seed)>& test);

}  // namespace symsim::test
