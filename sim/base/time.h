// SPDX-License-Identifier: MIT
// Simulated time. One tick is a picosecond, as in SystemC's default resolution, so that the
// processor's 62.5 ns and the bus's 100 ns are both whole numbers and nothing is ever rounded.
#pragma once

#include <cstdint>
#include <limits>

namespace symsim {

using Time = std::int64_t;  // picoseconds since reset

constexpr Time kNever = std::numeric_limits<Time>::max();
constexpr Time kMicrosecond = 1'000'000;
constexpr Time kMillisecond = 1'000 * kMicrosecond;

constexpr double to_us(Time t) {
    return static_cast<double>(t) / kMicrosecond;
}

// A clock whose edges are at whole multiples of its period, the first at reset. Times are not
// negative.
//
// Hosts take 10 to 40 cycles to divide 64 bits, so a multiplication takes its place: by
// m = floor(2^(63+s) / period) + 1, s = ceil(log2(period)), which rounds down like a division for
// all t below 2^63 (Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
// PLDI 1994, theorem 4.2: 2^(63+s) < m * period <= 2^(63+s) + 2^s).
class Clock {
  public:
    constexpr explicit Clock(Time period) : period_(period) {
        const auto divisor = static_cast<std::uint64_t>(period);
        while (std::uint64_t{1} << shift_ < divisor) ++shift_;
        const auto power = static_cast<unsigned __int128>(1) << (63 + shift_);
        multiplier_ = static_cast<std::uint64_t>(power / divisor) + 1;
    }
    constexpr Time period() const { return period_; }
    constexpr Time cycles(std::int64_t n) const { return n * period_; }
    constexpr Time edge_at_or_after(Time t) const { return whole(t + period_ - 1) * period_; }
    constexpr Time edge_after(Time t) const { return (whole(t) + 1) * period_; }

  private:
    // Periods in t. Twice t is within 64 bits, and the upper 64 of a product stand in a register.
    constexpr Time whole(Time t) const {
        const auto twice = static_cast<unsigned __int128>(2 * static_cast<std::uint64_t>(t));
        return static_cast<Time>(static_cast<std::uint64_t>(twice * multiplier_ >> 64) >> shift_);
    }

    Time period_;
    std::uint64_t multiplier_ = 0;
    unsigned shift_ = 0;
};

}  // namespace symsim
