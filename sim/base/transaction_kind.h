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

// What had the line that a miss brings to a processor, on a machine of nodes.
enum class Supplier : std::uint8_t {
    own_memory,
    network_cache,
    own_node_cache,
    home_memory,
    other_node
};
constexpr std::array<std::string_view, 5> kSupplierNames = {
    "own_memory", "network_cache", "own_node_cache", "home_memory", "other_node"};
constexpr std::array<std::string_view, 5> kSupplierMeanings = {
    "the memory of the processor's node, which is the home of the line",
    "the network cache of the processor's node, which keeps other nodes' lines",
    "the cache of another processor of the node, which had modified the line",
    "the memory of another node, which is the home of the line",
    "a node that had modified the line: its caches or its network cache"};
constexpr std::size_t kSuppliers = kSupplierNames.size();

constexpr std::string_view name(Supplier s) {
    return kSupplierNames[index(s)];
}

}  // namespace symsim
