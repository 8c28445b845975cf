// SPDX-License-Identifier: MIT
// The machine's nodes, as guests can read them (sim/devices/board.h). Processor p is in node
// p / processors_per_node. A machine whose processors are all equally far from all memory is one
// node.
#pragma once

#include <cstdint>

namespace symsim {

struct Topology {
    std::uint32_t nodes;
    std::uint32_t processors_per_node;

    // From the node of one processor to that of another, in the direction of the rings.
    std::uint32_t links(std::uint32_t from, std::uint32_t to) const {
        return (to / processors_per_node + nodes - from / processors_per_node) % nodes;
    }
};

}  // namespace symsim
