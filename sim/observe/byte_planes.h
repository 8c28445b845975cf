// SPDX-License-Identifier: MIT
// Transposes records into byte planes: the first byte of each record, then the second byte of each
// record, and so on. Similar bytes, such as the high bytes of numbers, are then adjacent, and a
// compressor handles them quickly. TransactionLog stores its blocks in this way.
#pragma once

#include <cstddef>

namespace symsim {

// Transposes `count` contiguous records into planes. Plane n begins `n * apart` bytes after the
// first plane. `planes` points to where the first byte of the first record belongs, so a block can
// be filled piece by piece.
void put_in_planes(const char* records, std::size_t count, std::size_t record_bytes, char* planes,
                   std::size_t apart);

}  // namespace symsim
