// SPDX-License-Identifier: MIT
// From instruction bytes to an Op. Zydis decodes; what is later than the 386 is refused here.
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/options.h"
#include "sim/base/types.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/fault.h"

namespace symsim {

// Why an instruction cannot be executed, and the exception it raises.
struct Complaint {
    std::string what;
    std::string fix;
    Fault fault = Fault::undefined_opcode;
};

class Decoder {
  public:
    // `line_bytes`: of the caches, a power of two.
    explicit Decoder(Isa isa, std::uint32_t line_bytes = 16);

    // Fills in `op`, whose address is set, from the `available` bytes there, in a code segment of
    // 32 or 16 bits. The op always gets a handler; with a complaint it is one that raises an
    // exception.
    std::optional<Complaint> decode(const std::uint8_t* bytes, std::size_t available, bool wide,
                                    Op& op) const;

  private:
    Isa isa_;
    Address line_mask_;  // keeps the address of a line
    ZydisDecoder wide_;
    ZydisDecoder narrow_;
};

}  // namespace symsim
