// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_records.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace symsim {
namespace {

// A tile is kTile bytes of kTile records. A tile is transposed at once.
constexpr std::size_t kTile = 8;

using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;
using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Pairs [[gnu::vector_size(16)]] = std::uint16_t;
using Fours [[gnu::vector_size(16)]] = std::uint32_t;

Bytes8 load(const char* bytes) {
    Bytes8 loaded;
    std::memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}
// Each merge takes elements of `a` and `b` in turns.
Pairs merge(Bytes8 a, Bytes8 b) {
    return reinterpret_cast<Pairs>(
        __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
}
Fours merge_first(Pairs a, Pairs b) {
    return reinterpret_cast<Fours>(__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
}
Fours merge_last(Pairs a, Pairs b) {
    return reinterpret_cast<Fours>(__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
}
Fours merge_first(Fours a, Fours b) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
Fours merge_last(Fours a, Fours b) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

// Stores the bytes of a tile in two neighbouring planes.
void store(Fours bytes, char* planes, std::size_t apart) {
    const auto all = reinterpret_cast<Bytes16>(bytes);
    std::memcpy(planes, &all, kTile);
    std::memcpy(planes + apart, reinterpret_cast<const char*>(&all) + kTile, kTile);
}

// Transposes a tile: merges records in pairs until the same byte of all eight records is adjacent.
void put_tile(const char* records, std::size_t record_bytes, char* planes, std::size_t apart) {
    const auto two = [&](std::size_t n) {
        return merge(load(records + n * record_bytes), load(records + (n + 1) * record_bytes));
    };
    const Pairs of_0 = two(0), of_2 = two(2), of_4 = two(4), of_6 = two(6);
    const Fours low_0 = merge_first(of_0, of_2), low_4 = merge_first(of_4, of_6);
    const Fours high_0 = merge_last(of_0, of_2), high_4 = merge_last(of_4, of_6);
    store(merge_first(low_0, low_4), planes, apart);
    store(merge_last(low_0, low_4), planes + 2 * apart, apart);
    store(merge_first(high_0, high_4), planes + 4 * apart, apart);
    store(merge_last(high_0, high_4), planes + 6 * apart, apart);
}

}  // namespace

void put_in_planes(const char* records, std::size_t count, std::size_t record_bytes, char* planes,
                   std::size_t apart) {
    // Records shorter than a tile are transposed byte by byte, in the last loop.
    const std::size_t in_tiles = record_bytes < kTile ? 0 : count - count % kTile;
    for (std::size_t byte = 0; in_tiles > 0 && byte < record_bytes; byte += kTile) {
        // The last tile overlaps the one before it if kTile does not divide record_bytes.
        const std::size_t first = std::min(byte, record_bytes - kTile);
        for (std::size_t n = 0; n < in_tiles; n += kTile)
            put_tile(records + n * record_bytes + first, record_bytes, planes + n + first * apart,
                     apart);
    }
    for (std::size_t n = in_tiles; n < count; ++n)
        for (std::size_t byte = 0; byte < record_bytes; ++byte)
            planes[n + byte * apart] = records[n * record_bytes + byte];
}

}  // namespace symsim
