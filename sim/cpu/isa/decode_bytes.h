// SPDX-License-Identifier: MIT
// Decodes bytes with Zydis. Two kinds of instructions of a 386 are not known to Zydis, and are
// decoded here: bt with a LOCK prefix, and moves of test registers.
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>

#include "sim/cpu/isa/shape.h"

namespace symsim {

ZyanStatus decode_bytes(const ZydisDecoder& zydis, const std::uint8_t* bytes, std::size_t available,
                        Decoded& d);

}  // namespace symsim
