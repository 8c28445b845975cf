// SPDX-License-Identifier: MIT
// Types that all parts share: addresses and processor numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace symsim {

using Address = std::uint32_t;        // physical: after segmentation and paging
using LinearAddress = std::uint32_t;  // after segmentation, before paging; symbols have these
using Offset = std::uint32_t;         // within a segment: what programs call an address; eip
using ProcessorId = std::uint32_t;    // 0 to processors - 1; also the number of its bus port

// The most processors that a machine can have: SYMSIM_MAX_PROCESSORS of the build, a multiple of 64
// (processor_set.h).
constexpr unsigned kMaxProcessors = SYMSIM_MAX_PROCESSORS;
constexpr ProcessorId kNobody = kMaxProcessors;  // no processor, or no port

template <class Enum>
constexpr std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
}

}  // namespace symsim
