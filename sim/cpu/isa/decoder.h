// SPDX-License-Identifier: MIT
// Decodes instruction bytes to an Op, for the decode cache. Zydis decodes; the Decoder refuses
// instructions of later processors than the chosen one (Isa).
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/base/options.h"
#include "sim/base/types.h"
#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/fault.h"

namespace symsim {

class Decoder {
  public:
    // `line_bytes` is the line size of the caches, a power of two.
    explicit Decoder(Isa isa, std::uint32_t line_bytes = 16);

    // Fills in `op` from the `available` bytes at its address, which is already set. `wide`: the
    // code segment is a 32-bit one, else a 16-bit one. The op always gets a handler. If decode()
    // returns a complaint, that handler raises the exception.
    std::optional<Complaint> decode(const std::uint8_t* bytes, std::size_t available, bool wide,
                                    Op& op) const;

  private:
    Isa isa_;
    Address line_mask_;  // clears the offset within a line
    ZydisDecoder wide_;
    ZydisDecoder narrow_;
};

}  // namespace symsim
