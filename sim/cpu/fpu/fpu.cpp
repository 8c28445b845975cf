// SPDX-License-Identifier: MIT
// The status word and the tag word, which are composed of other state.
#include "sim/cpu/fpu/fpu.h"

namespace symsim {
namespace {

constexpr std::uint16_t kKept = kFloatExceptions | kStackFault | kConditionCodes;

enum Tag : unsigned { valid, zero, special, vacant };

Tag tag_of(Float80 f) {
    if (f.is_normal()) return valid;
    return f.is_zero() ? zero : special;
}

}  // namespace

std::uint16_t Fpu::status_word() const {
    const unsigned summary = error() ? kErrorSummary | kFpuBusy : 0;
    return static_cast<std::uint16_t>(flags | top << 11 | summary);
}

void Fpu::set_status_word(std::uint16_t word) {
    flags = word & kKept;
    top = word >> 11 & 7;
}

std::uint16_t Fpu::tag_word() const {
    unsigned word = 0;
    for (unsigned n = 0; n < 8; ++n)
        word |= (empty >> n & 1 ? vacant : tag_of(registers[n])) << 2 * n;
    return static_cast<std::uint16_t>(word);
}

void Fpu::set_tag_word(std::uint16_t word) {
    empty = 0;
    for (unsigned n = 0; n < 8; ++n) {
        if ((word >> 2 * n & 3) == vacant) empty |= static_cast<std::uint8_t>(1u << n);
    }
}

}  // namespace symsim
