// SPDX-License-Identifier: MIT
// Random numbers that cost nothing to seed. Each vector has a generator of its own, so that any
// vector can be made again alone. The generator is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cstdint>

namespace symsim::test {

class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t number) : state_(seed * 0x9e37'79b9'7f4a'7c15) {
        state_ ^= next() + number * 0xd134'2543'de82'ef95;
    }

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15;
        z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
        z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
        return z ^ z >> 31;
    }
    std::uint32_t any() { return static_cast<std::uint32_t>(next() >> 32); }
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    // A quarter of the values are at the ends of ranges.
    std::uint32_t operand() {
        static constexpr std::uint32_t kEdges[] = {
            0,          1,          2,          0x7f,       0x80,       0xff,       0x100,
            0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001,
            0xffffffff, 0xfffffffe, 0xffffff80, 0xffff8000, 0x80,       0x99};
        switch (below(4)) {
            case 0:
                return kEdges[below(sizeof kEdges / sizeof *kEdges)];
            case 1:
                return any() >> below(32);
            default:
                return any();
        }
    }

  private:
    std::uint64_t state_;
};

}  // namespace symsim::test
