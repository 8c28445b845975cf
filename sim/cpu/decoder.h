// SPDX-License-Identifier: MIT
// From instruction bytes to an Op. Zydis decodes; what is later than the 386 is refused here.
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/cpu/op.h"

namespace symsim {

enum class Isa : std::uint8_t { i386 };

// Why an instruction cannot be executed.
struct Complaint {
    std::string what;
    std::string fix;
};

class Decoder {
  public:
    explicit Decoder(Isa isa);

    // Fills in `op`, whose address is set, from the `available` bytes there. The op always gets a
    // handler; with a complaint it is one that ends the run.
    std::optional<Complaint> decode(const std::uint8_t* bytes, std::size_t available, Op& op) const;

  private:
    ZydisDecoder zydis_;
};

}  // namespace symsim
