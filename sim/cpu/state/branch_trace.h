// SPDX-License-Identifier: MIT
// The last branches a processor took, for the report of a crash.
//
// A rollback undoes branches. A rollback point saves only their number, so the ring has room for
// the reported branches and for those that one rollback can undo.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

struct Branch {
    Address from = 0;
    Address to = 0;
};

class BranchTrace {
  public:
    static constexpr std::uint64_t kReported = 32;
    // The most branches that one rollback can undo (checked against kRunAheadClocks).
    static constexpr std::uint64_t kAhead = 224;
    static constexpr std::uint64_t kSize = kReported + kAhead;

    void add(std::uint64_t number, Address from, Address to) { ring_[number % kSize] = {from, to}; }

    // Repeats branches first .. first + period - 1 until there are `count` branches in all.
    void repeat(std::uint64_t first, std::uint64_t period, std::uint64_t count) {
        if (period == 0) return;
        if (period > kSize) return;  // impossible: a period is shorter than a window
        if (period == 1) return repeat_one(first, count);
        turn_.clear();
        for (std::uint64_t n = 0; n < period; ++n) turn_.push_back(ring_[(first + n) % kSize]);
        const std::uint64_t from = count > kReported ? count - kReported : 0;
        std::uint64_t n = std::max(first, from);
        for (std::uint64_t place = (n - first) % period; n < count; ++n) {
            ring_[n % kSize] = turn_[place];
            if (++place == period) place = 0;
        }
    }

    // The last of `count` branches in all, oldest first.
    std::vector<Branch> last(std::uint64_t count) const {
        std::vector<Branch> branches;
        for (std::uint64_t n = count > kReported ? count - kReported : 0; n < count; ++n)
            branches.push_back(ring_[n % kSize]);
        return branches;
    }

  private:
    // repeat() for a period of one branch, as most loops have, in fewer steps.
    void repeat_one(std::uint64_t first, std::uint64_t count) {
        const Branch branch = ring_[first % kSize];
        for (std::uint64_t n = std::max(first, count - std::min(count, kReported)); n < count; ++n)
            ring_[n % kSize] = branch;
    }

    std::array<Branch, kSize> ring_{};  // branch number n at place n % kSize
    std::vector<Branch> turn_;          // of repeat()
};

}  // namespace symsim
