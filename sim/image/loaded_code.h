// SPDX-License-Identifier: MIT
// The code that the simulator has loaded: the executable segments of the guest's image. A processor
// that executes anywhere else has followed a wild pointer, unless the guest makes code of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/image/closed_pages.h"
#include "sim/image/image.h"

namespace symsim {

class LoadedCode {
  public:
    // `anywhere`: the guest may execute all of memory that is open to it.
    LoadedCode(const Image& image, bool anywhere) : anywhere_(anywhere) {
        first_ = closes_first_page(image) ? kPage : 0;
        for (const LoadSegment& segment : image.segments)
            if (segment.executable) ranges_.emplace_back(segment.address, segment.memory_size);
    }
    // Whether the guest may execute the instruction that begins at a physical address.
    bool contains(Address address) const {
        if (anywhere_) return address >= first_;
        return std::any_of(ranges_.begin(), ranges_.end(),
                           [=](const auto& range) { return address - range.first < range.second; });
    }

  private:
    static constexpr Address kPage = 4096;

    bool anywhere_;
    Address first_ = 0;
    std::vector<std::pair<Address, std::uint32_t>> ranges_;  // address and bytes
};

}  // namespace symsim
