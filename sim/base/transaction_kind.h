// SPDX-License-Identifier: MIT
// The kinds of bus transactions, their names in outputs, and what the help says of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {

enum class TransactionKind : std::uint8_t {
    fetch,
    read,
    read_exclusive,
    upgrade,
    store,
    locked_read,
    locked_store,
    unlock,
    write_back,
    io_read,
    io_write
};
constexpr std::array<std::string_view, 11> kTransactionKindNames = {
    "fetch",        "read",   "read_exclusive", "upgrade", "store",   "locked_read",
    "locked_store", "unlock", "write_back",     "io_read", "io_write"};
constexpr std::array<std::string_view, 11> kTransactionKindMeanings = {
    "brings instructions",
    "brings a line of data; without a cache, the bytes asked for",
    "for a store that misses: brings the line and invalidates all other copies (write-back)",
    "for a store to a shared line: invalidates all other copies (write-back)",
    "writes memory; other caches invalidate or update their copies",
    "reads for a locked instruction, and locks the address",
    "writes for a locked instruction",
    "ends the lock of an address",
    "writes a modified line back to memory (write-back, write-update)",
    "reads a device",
    "writes a device"};
constexpr std::size_t kTransactionKinds = kTransactionKindNames.size();

constexpr std::string_view name(TransactionKind k) {
    return kTransactionKindNames[index(k)];
}

}  // namespace symsim
