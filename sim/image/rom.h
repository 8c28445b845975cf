// SPDX-License-Identifier: MIT
// Loads a guest that starts in real mode. A ROM starts as the 386 does at reset, right below 4 GB.
// A boot sector, which has no reset vector, starts where a BIOS would jump to.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sim/image/image.h"

namespace symsim {

// The file's bytes, which go to memory from `address` on, as an image without symbols. For the
// guest they are ordinary memory that it may write to, like the shadow RAM that boards of the time
// copied their ROM into. Throws UserError naming the file and the cure.
Image load_rom(const std::filesystem::path& path, Address address, std::uint64_t memory_bytes);

}  // namespace symsim
