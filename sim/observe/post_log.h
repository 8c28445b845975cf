// SPDX-License-Identifier: MIT
// Keeps the POST codes that the guest wrote to guest.post_port, for summary.json. Their number is
// limited.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/observe/report.h"

namespace symsim {

class PostLog {
  public:
    // A BIOS writes a few hundred codes at most. The limit keeps a guest that writes codes in a
    // loop from filling the host's memory.
    static constexpr std::size_t kMost = 10'000;

    void add(Time time, std::uint8_t code) {
        if (codes_.size() < kMost)
            codes_.push_back({time, code});
        else
            ++left_out_;
    }
    const std::vector<PostCode>& codes() const { return codes_; }
    std::uint64_t left_out() const { return left_out_; }

  private:
    std::vector<PostCode> codes_;
    std::uint64_t left_out_ = 0;
};

}  // namespace symsim
