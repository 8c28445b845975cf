// SPDX-License-Identifier: MIT
// The kinds of bus transactions, their names in outputs, and what the help says of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {

// In outputs read_exclusive is called read_own, upgrade is called invalidate, and write_back is
// called copy_back.
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
    "fetch",        "read",   "read_own",  "invalidate", "store",   "locked_read",
    "locked_store", "unlock", "copy_back", "io_read",    "io_write"};
constexpr std::array<std::string_view, 11> kTransactionKindMeanings = {
    "brings instructions",
    "brings a line of data; without a cache, the bytes asked for",
    "for a store: brings the line, and takes it from all others (write-back)",
    "for a store to a line that is here: takes it from all others (write-back)",
    "writes memory; others drop their copies or bring them up to date",
    "reads for a locked instruction, and locks the address",
    "writes for a locked instruction",
    "ends the lock of an address",
    "writes a line that memory does not have yet (write-back, write-update)",
    "reads a device",
    "writes a device"};
constexpr std::size_t kTransactionKinds = kTransactionKindNames.size();

constexpr std::string_view name(TransactionKind k) {
    return kTransactionKindNames[index(k)];
}

}  // namespace symsim
