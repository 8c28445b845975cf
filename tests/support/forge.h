// SPDX-License-Identifier: MIT
// Changes saved states as a damaged or forged checkpoint may have them.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

#include "sim/base/time.h"

namespace symsim::test {

// Changes a bit, a byte, a word or a quadword at `from` or later, or takes bytes out.
inline void forge(std::string& state, std::size_t from, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    constexpr std::int64_t kOdd[] = {0, 1, -1, 1LL << 62, kNever, 1'000'000'000'000'000'000};
    const std::size_t at = from + below(state.size() - from - 8);
    const std::int64_t odd =
        below(2) ? kOdd[below(std::size(kOdd))] : static_cast<std::int64_t>(random() >> below(64));
    switch (below(6)) {
        case 0:
            state[at] = static_cast<char>(state[at] ^ 1 << below(8));
            break;
        case 1:
            state[at] = static_cast<char>(random());
            break;
        case 2:
        case 3:
            std::memcpy(&state[at], &odd, below(2) ? 4 : 8);
            break;
        case 4:
            state.erase(at, 1 + below(8));
            break;
        default:
            state[at] = static_cast<char>(~state[at]);
    }
}

}  // namespace symsim::test
