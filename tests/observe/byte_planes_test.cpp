// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_records.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace symsim {
namespace {

// The expected planes, made byte by byte.
std::string planes_of(const std::string& records, std::size_t record_bytes) {
    std::string planes;
    for (std::size_t byte = 0; byte < record_bytes; ++byte)
        for (std::size_t at = byte; at < records.size(); at += record_bytes) planes += records[at];
    return planes;
}

TEST(BytePlanes, FirstBytesOfAllRecordsComeFirst) {
    const std::string records = "abcABC123";
    std::string planes(9, '-');
    put_in_planes(records.data(), 3, 3, planes.data(), 3);
    EXPECT_EQ(planes, "aA1bB2cC3");
}

TEST(BytePlanes, RecordsOfAnyNumberAndSize) {
    std::mt19937 random(5);
    for (std::size_t size = 1; size <= 36; ++size)
        for (std::size_t count = 1; count <= 27; ++count) {
            std::string records(size * count, 0);
            for (char& byte : records) byte = static_cast<char>(random());
            std::string planes(size * count, 0);
            put_in_planes(records.data(), count, size, planes.data(), count);
            ASSERT_EQ(planes, planes_of(records, size)) << count << " of " << size << " bytes";
        }
}

// TransactionLog fills a block piece by piece, so the rest of each plane must not be touched.
TEST(BytePlanes, BytesOfOtherRecordsAreNotTouched) {
    const std::size_t size = 10, count = 9, before = 2, all = 15;
    std::string records;
    for (std::size_t n = 0; n < size * count; ++n) records += static_cast<char>(n + 1);
    std::string planes(size * all, 0);
    put_in_planes(records.data(), count, size, planes.data() + before, all);
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t n = 0; n < all; ++n) {
            const bool there = n >= before && n < before + count;
            const auto expected = there ? (n - before) * size + byte + 1 : 0;
            ASSERT_EQ(static_cast<std::size_t>(planes[byte * all + n]), expected);
        }
}

}  // namespace
}  // namespace symsim
