// SPDX-License-Identifier: MIT
// Records as planes: the first byte of each, then the second byte of each, and so on. Bytes that
// are alike, as the high ones of numbers, then stand together, and are compressed in little time.
#pragma once

#include <cstddef>

namespace symsim {

// Puts records that lie one behind the other at their places in planes that begin `apart`; `planes`
// is the place of the first one's first byte.
void put_in_planes(const char* records, std::size_t count, std::size_t record_bytes, char* planes,
                   std::size_t apart);

}  // namespace symsim
