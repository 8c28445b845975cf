// SPDX-License-Identifier: MIT
// The last branches a processor took, for the report of a crash.
//
// A processor that ran ahead may take branches back: its checkpoint keeps only the count, so the
// ring must be as much longer than what is reported as can be taken back at once.
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

    template <class Archive>
    void serialize(Archive& archive) {
        archive(from, to);
    }
};

class BranchTrace {
  public:
    static constexpr std::uint64_t kReported = 32;
    // Branches that can be taken back at once.
    static constexpr std::uint64_t kAhead = 224;

    void add(std::uint64_t number, Address from, Address to) { ring_[number % kSize] = {from, to}; }

    // Branches first .. first + period - 1 come round again until there are `count` in all.
    void repeat(std::uint64_t first, std::uint64_t period, std::uint64_t count) {
        if (period == 0) return;
        if (period > kSize) return;  // cannot be: a turn is shorter than what is ahead
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

    // Oldest first, when there have been `count` in all.
    std::vector<Branch> last(std::uint64_t count) const {
        std::vector<Branch> branches;
        for (std::uint64_t n = count > kReported ? count - kReported : 0; n < count; ++n)
            branches.push_back(ring_[n % kSize]);
        return branches;
    }
    // What last() gave when there had been `count`.
    void set(std::uint64_t count, const std::vector<Branch>& last) {
        for (std::size_t i = 0; i < last.size(); ++i)
            add(count - last.size() + i, last[i].from, last[i].to);
    }

  private:
    // The same in fewer steps, as most turns are of one branch.
    void repeat_one(std::uint64_t first, std::uint64_t count) {
        const Branch branch = ring_[first % kSize];
        for (std::uint64_t n = std::max(first, count - std::min(count, kReported)); n < count; ++n)
            ring_[n % kSize] = branch;
    }

    static constexpr std::uint64_t kSize = kReported + kAhead;
    std::array<Branch, kSize> ring_{};
    std::vector<Branch> turn_;  // of repeat()
};

}  // namespace symsim
