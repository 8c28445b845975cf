// SPDX-License-Identifier: MIT
// What a resource of a machine of nodes is (BusUse::resource), for outputs that name it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace symsim {

struct NamedResource {
    enum class Kind : std::uint8_t { path, bus, memory, link };
    Kind kind = Kind::path;
    unsigned node = 0;     // of a link: where it begins
    unsigned number = 0;   // of the processor, the memory bank or the ring; a bus has none
    unsigned to_node = 0;  // of a link: where it ends

    // For people: "node 1: memory 2", "ring 0: node 1 to 2".
    std::string text() const;
    // Letters, digits and underscores: "node1_memory2", "ring0_node1_to_node2".
    std::string word() const;
};
// By number.
using ResourceTable = std::vector<NamedResource>;

}  // namespace symsim
