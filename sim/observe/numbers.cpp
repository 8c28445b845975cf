// SPDX-License-Identifier: MIT
#include "sim/observe/numbers.h"

#include <fmt/compile.h>
#include <fmt/format.h>

namespace symsim {

std::string us_text(Time t) {
    if (t < 0) return "-" + us_text(-t);
    if (t % kMicrosecond == 0) return fmt::format(FMT_COMPILE("{}"), t / kMicrosecond);
    std::string text = fmt::format(FMT_COMPILE("{}.{:06}"), t / kMicrosecond, t % kMicrosecond);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

// 128 bits: part * 1'000'000 would overflow 64 from nine simulated seconds on.
std::int64_t millionths(std::int64_t part, std::int64_t whole) {
    if (whole <= 0) return 0;
    const auto scaled = static_cast<__int128>(part) * 1'000'000;
    const auto result = static_cast<std::int64_t>(scaled / whole);
    const auto rest = static_cast<std::int64_t>(scaled - static_cast<__int128>(result) * whole);
    return rest >= whole - rest ? result + 1 : result;
}

std::string ratio_text(std::int64_t part, std::int64_t whole) {
    if (part == 0) return "0.000000";  // most columns of most intervals
    const std::int64_t value = millionths(part, whole);
    return fmt::format(FMT_COMPILE("{}.{:06}"), value / 1'000'000, value % 1'000'000);
}

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(millionths(part, whole)) / 1'000'000;
}

Time mean(Time sum, std::uint64_t count) {
    if (count == 0) return 0;
    const auto n = static_cast<Time>(count);
    return (sum + n / 2) / n;
}

std::string hex_text(Address address) {
    return fmt::format("0x{:08x}", address);
}

}  // namespace symsim
