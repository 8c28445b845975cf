// SPDX-License-Identifier: MIT
// What a machine of nodes is built from, beyond what every interconnect is. Only nodes_config()
// (sim/machine/build.h) can make one.
#pragma once

#include <cstdint>

#include "sim/base/options.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

struct NodesConfig : InterconnectConfig {
    std::uint32_t nodes;
    std::uint32_t processors_per_node;
    NodeInside inside;
    Placement placement;
    std::uint32_t page_bytes;  // the unit of placement
    std::uint32_t block_bytes;
    std::uint32_t network_cache_bytes;
    std::uint32_t network_cache_ways;
    std::uint32_t lookup_cycles;
    std::uint32_t home_buffer;
    std::uint32_t rings;
    std::uint32_t ring_bytes_per_cycle;
    std::uint32_t ring_header_bytes;
    std::uint32_t ring_hop_cycles;
    std::uint32_t ring_interface_cycles;

  private:
    explicit NodesConfig(const InterconnectConfig& common) : InterconnectConfig(common) {}
    friend NodesConfig nodes_config(const Config&);
};

}  // namespace symsim
