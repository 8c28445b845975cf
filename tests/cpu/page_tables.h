// SPDX-License-Identifier: MIT
// Page tables for tests: a directory and one table, which map the first 4 MB to themselves.
#pragma once

#include <cstdint>

#include "sim/interconnect/memory.h"

namespace symsim::test {

constexpr Address kDirectory = 0x30'0000;
constexpr Address kTable = 0x30'1000;  // of the first 4 MB
constexpr std::uint32_t kPresent = 1, kWritable = 2, kUser = 4, kAccessed = 0x20, kDirty = 0x40;

inline Address entry_of(Address page) {
    return kTable + (page >> 12) * 4;
}

// Maps the first 4 MB to themselves, with these bits in each entry.
inline void map(Memory& memory, std::uint32_t bits) {
    memory.write(kDirectory, 4, kTable | bits);
    for (Address page = 0; page < 0x40'0000; page += 0x1000)
        memory.write(entry_of(page), 4, page | bits);
}

}  // namespace symsim::test
