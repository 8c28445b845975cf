// SPDX-License-Identifier: MIT
// Random operands for the 80387 tests: every kind of number, NaNs and unsupported formats, the ends
// of ranges, and pairs of nearly equal size.
#pragma once

#include <random>
#include <vector>

#include "sim/cpu/fpu/float80.h"

namespace symsim::test {

constexpr std::uint64_t kFpuSeed = 387;

class FloatOperands {
  public:
    explicit FloatOperands(std::uint64_t seed) : random_(seed) {}

    std::uint64_t bits() { return random_(); }
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    // A control word with any masks, precision and rounding. Half of them mask all exceptions.
    std::uint16_t control() {
        static constexpr unsigned kPrecisions[] = {0x000, 0x200, 0x300};
        const unsigned masks = below(2) ? 0x3f : below(64);
        return static_cast<std::uint16_t>(0x40 | masks | kPrecisions[below(3)] | below(4) << 10);
    }

    Float80 any() {
        switch (below(8)) {
            case 0:
                return boundaries()[below(static_cast<unsigned>(boundaries().size()))];
            case 1:
                return Float80::make(below(2), static_cast<int>(below(0x8000)), significand());
            case 2:  // denormal
                return Float80::make(below(2), 0, significand() >> below(64));
            case 3:  // near the ends of single and double
                return normal(below(2) ? 16383 - 1022 - 60 + static_cast<int>(below(130))
                                       : 16383 - 126 - 30 + static_cast<int>(below(60)));
            case 4:
                return normal(below(2) ? 16383 + 1000 + static_cast<int>(below(40))
                                       : 16383 + 110 + static_cast<int>(below(30)));
            case 5:  // near the ends of the range
                return normal(below(2) ? 1 + static_cast<int>(below(140))
                                       : 0x7ffe - static_cast<int>(below(140)));
            default:
                return normal(16383 - 70 + static_cast<int>(below(140)));
        }
    }
    // An operand that is often of nearly the same size as `a`.
    Float80 partner(Float80 a) {
        if (below(2)) return any();
        int exponent = a.exponent() - 66 + static_cast<int>(below(132));
        if (below(2)) exponent = a.exponent() - 1 + static_cast<int>(below(3));
        if (exponent < 0) exponent = 0;
        if (exponent > 0x7fff) exponent = 0x7fff;
        std::uint64_t digits = significand();
        if (below(4) == 0) digits = a.significand + below(3) - 1;
        return Float80::make(below(2), exponent, digits | Float80::kIntegerBit);
    }
    Float80 normal(int exponent) {
        return Float80::make(below(2), exponent, significand() | Float80::kIntegerBit);
    }
    std::uint64_t significand() {
        switch (below(5)) {
            case 0:
                return std::uint64_t{1} << below(64) | std::uint64_t{1} << below(64);
            case 1:
                return ~std::uint64_t{0} << below(64);
            case 2:
                return ~std::uint64_t{0} >> below(64);
            case 3:  // last bits that decide how the result is rounded
                return bits() << below(44) | bits() % 5;
            default:
                return bits();
        }
    }

    static const std::vector<Float80>& boundaries() {
        static const std::vector<Float80> all = [] {
            std::vector<Float80> list;
            const std::uint64_t top = Float80::kIntegerBit, all_ones = ~std::uint64_t{0};
            for (const bool sign : {false, true}) {
                for (const int exponent : {0,
                                           1,
                                           2,
                                           16383 - 1075,
                                           16383 - 1023,
                                           16383 - 1022,
                                           16383 - 150,
                                           16383 - 127,
                                           16383 - 126,
                                           16383 - 64,
                                           16383 - 1,
                                           16383,
                                           16383 + 1,
                                           16383 + 15,
                                           16383 + 31,
                                           16383 + 59,
                                           16383 + 62,
                                           16383 + 63,
                                           16383 + 64,
                                           16383 + 127,
                                           16383 + 128,
                                           16383 + 1023,
                                           16383 + 1024,
                                           0x7ffd,
                                           0x7ffe,
                                           0x7fff}) {
                    for (const std::uint64_t digits :
                         {std::uint64_t{0}, std::uint64_t{1}, top - 1, top, top + 1, top | top >> 1,
                          (top | top >> 1) + 1, all_ones, all_ones - 1, all_ones << 11,
                          all_ones << 40, top >> 1, top >> 1 | 5})
                        list.push_back(Float80::make(sign, exponent, digits));
                }
            }
            return list;
        }();
        return all;
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace symsim::test
