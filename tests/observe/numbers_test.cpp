// SPDX-License-Identifier: MIT
#include "sim/observe/numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace symsim {
namespace {

TEST(Numbers, MicrosecondsAreExactAndTrimmed) {
    EXPECT_EQ(us_text(0), "0");
    EXPECT_EQ(us_text(1), "0.000001");
    EXPECT_EQ(us_text(62'500), "0.0625");
    EXPECT_EQ(us_text(100 * kMicrosecond), "100");
    EXPECT_EQ(us_text(1'234'567'890'120), "1234567.89012");
    EXPECT_EQ(us_text(-62'500), "-0.0625");
}

TEST(Numbers, CountsHaveAllDigitsAndNoLeadingZeros) {
    const auto text = [](std::uint64_t count) {
        std::array<char, kNumberBytes> room;
        return std::string(room.data(), put_count(room.data(), count));
    };
    EXPECT_EQ(text(0), "0");
    EXPECT_EQ(text(1'000'000'000'000'000'001), "1000000000000000001");
    EXPECT_EQ(text(~std::uint64_t{0}), "18446744073709551615");
    for (std::uint64_t power = 10; power < 10'000'000'000'000'000'000u; power *= 10)
        for (const std::uint64_t count : {power - 1, power, power + 1, power + 345'678})
            EXPECT_EQ(text(count), std::to_string(count));
}

std::string ratio_text(std::int64_t part, std::int64_t whole) {
    std::array<char, kNumberBytes> text;
    return {text.data(), put_millionths(text.data(), millionths(part, whole))};
}

TEST(Numbers, RatiosHaveSixDecimalsAndRoundHalvesUp) {
    EXPECT_EQ(ratio_text(1, 3), "0.333333");
    EXPECT_EQ(ratio_text(2, 3), "0.666667");
    EXPECT_EQ(ratio_text(1, 2'000'000), "0.000001");  // half a millionth
    EXPECT_EQ(ratio_text(7, 2), "3.500000");
    EXPECT_EQ(ratio_text(5, 5), "1.000000");
    EXPECT_EQ(ratio_text(5, 0), "0.000000");
}

TEST(Numbers, RatiosOfLongRunsDoNotOverflow) {
    const Time hour = 3'600 * 1'000 * kMillisecond;
    EXPECT_EQ(ratio_text(hour / 4, hour), "0.250000");
    EXPECT_EQ(ratio(hour / 4, hour), 0.25);
}

TEST(Numbers, MeansRoundToTheNearestPicosecond) {
    EXPECT_EQ(mean(10, 4), 3);
    EXPECT_EQ(mean(9, 4), 2);
    EXPECT_EQ(mean(9, 0), 0);
}

TEST(Numbers, AddressesHaveEightDigits) {
    EXPECT_EQ(hex_text(0x1040), "0x00001040");
}

}  // namespace
}  // namespace symsim
