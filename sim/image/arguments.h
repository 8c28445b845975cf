// SPDX-License-Identifier: MIT
// How guest.args.* and what every guest is told reach the guest: as text in a buffer of its own,
// there before the machine starts.
#pragma once

#include <cstdint>
#include <string>

#include "sim/image/image.h"
#include "sim/image/image_name.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// Lines "name=value": processors and seed, then `args`. Throws UserError for an argument that
// would not come out as it went in.
std::string argument_text(unsigned processors, std::uint32_t seed, const GuestArguments& args);

// Writes the text to the guest's symbol symsim_boot_args, and how many bytes of memory there are to
// its symbol symsim_memory_bytes; a guest without one gets none. Throws UserError if there is no
// room.
void write_arguments(const Image& image, const std::string& text, Memory& memory);

}  // namespace symsim
