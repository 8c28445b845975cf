// SPDX-License-Identifier: MIT
// A guest that is started as the 386 starts at reset: in real mode, from a ROM below 4 GB. Or as a
// BIOS starts a boot sector, which has no reset vector.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sim/image/image.h"

namespace symsim {

// Bytes as they lie in memory from `address` on, as an image without names. It is ordinary memory
// to the guest, which may write there, as in the shadow RAM that boards of the time copied their
// ROM into. Throws UserError naming the file and the cure.
Image load_rom(const std::filesystem::path& path, Address address, std::uint64_t memory_bytes);

}  // namespace symsim
