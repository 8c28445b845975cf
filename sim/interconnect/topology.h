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
};

}  // namespace symsim
