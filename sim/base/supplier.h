// SPDX-License-Identifier: MIT
// Who had the line that a miss brings to a processor, on a machine of nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {

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
