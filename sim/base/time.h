// SPDX-License-Identifier: MIT
// Simulated time. One tick is a picosecond, as in SystemC's default resolution. The processor's
// period of 62.5 ns and the bus's 100 ns are both whole numbers of ticks, so nothing is rounded.
#pragma once

#include <cstdint>
#include <limits>

namespace symsim {

using Time = std::int64_t;  // picoseconds since reset

constexpr Time kNever = std::numeric_limits<Time>::max();
constexpr Time kNanosecond = 1'000;
constexpr Time kMicrosecond = 1'000 * kNanosecond;
constexpr Time kMillisecond = 1'000 * kMicrosecond;

constexpr double to_us(Time t) {
    return static_cast<double>(t) / kMicrosecond;
}

// The builtin is std::llround() without <cmath>.
inline Time nearest_tick(double picoseconds) {
    return __builtin_llround(picoseconds);
}
inline Time period_of(double mhz) {
    return nearest_tick(1e6 / mhz);
}

// sum / count, rounded to the nearest picosecond, halves up; 0 if `count` is 0.
constexpr Time mean(Time sum, std::uint64_t count) {
    if (count == 0) return 0;
    const auto n = static_cast<Time>(count);
    return (sum + n / 2) / n;
}

// A clock with edges at whole multiples of its period, the first at reset. Times must not be
// negative. Where no edge is left before kNever, the answer is kNever.
class Clock {
  public:
    constexpr explicit Clock(Time period) : period_(period) {}
    constexpr Time period() const { return period_; }
    constexpr Time cycles(std::int64_t n) const { return n * period_; }
    constexpr Time edge_at_or_after(Time t) const {
        return is_last(t) ? kNever : (t + period_ - 1) / period_ * period_;
    }
    constexpr Time edge_after(Time t) const {
        return is_last(t) ? kNever : (t / period_ + 1) * period_;
    }

  private:
    constexpr bool is_last(Time t) const { return t > kNever - period_; }

    Time period_;
};

}  // namespace symsim
