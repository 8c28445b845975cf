// SPDX-License-Identifier: MIT
// The code that the simulator has loaded: the executable segments of the guest's image. A processor
// that executes anywhere else has followed a wild pointer, unless the guest makes code of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/image/image.h"

namespace symsim {

class LoadedCode {
  public:
    // `anywhere`: the guest may execute all of memory.
    LoadedCode(const Image& image, bool anywhere) : anywhere_(anywhere) {
        for (const LoadSegment& segment : image.segments)
            if (segment.executable) ranges_.emplace_back(segment.address, segment.memory_size);
    }
    // Whether the guest may execute the instruction that begins at a physical address.
    bool contains(Address address) const {
        return anywhere_ || std::any_of(ranges_.begin(), ranges_.end(), [=](const auto& range) {
                   return address - range.first < range.second;
               });
    }

  private:
    bool anywhere_;
    std::vector<std::pair<Address, std::uint32_t>> ranges_;  // address and bytes
};

}  // namespace symsim
