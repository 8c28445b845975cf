// SPDX-License-Identifier: MIT
// The keys of [cache] and [sub_page], and what a cache controller is built from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/protocol/protocols.h"

namespace symsim {

struct CacheGeometry {
    std::uint32_t size_bytes = 65536;
    std::uint32_t ways = 2;
    std::uint32_t line_bytes = 16;
};

struct CacheConfig {
    const Protocol* protocol = &protocols::write_through;
    CacheGeometry geometry;
    std::uint32_t hit_wait_clocks = 0;
    std::uint32_t write_buffer_depth = 1;
    StorePolicy store_policy = StorePolicy::block_port;
    UpdateExchange update_exchange = UpdateExchange::one_update;
};

// kProtocols by name, and what each of them is.
std::vector<std::pair<std::string, const Protocol*>> named_protocols();
std::string protocol_meanings();

template <class Visit>
void for_each_field(CacheConfig& cache, Visit&& visit) {
    visit("protocol", "", cache.protocol, fits::OneOf<const Protocol*>{named_protocols()},
          protocol_meanings());
    visit("size_bytes", "bytes", cache.geometry.size_bytes, fits::PowersOfTwo{64, 16777216},
          "Size of each processor's cache, instructions and data together.");
    visit("ways", "", cache.geometry.ways, fits::PowersOfTwo{1, 8},
          "Lines per set; a fill evicts the least recently used line.");
    visit("line_bytes", "bytes", cache.geometry.line_bytes, fits::PowersOfTwo{4, 32},
          "Bytes per line, and per transfer of a miss.");
    visit("hit_wait_clocks", "processor clocks", cache.hit_wait_clocks, fits::Integers{0, 4},
          "Wait states of a cache hit, and of each dword fetched after a taken branch.");
    visit("write_buffer_depth", "stores", cache.write_buffer_depth, fits::Integers{0, 8},
          "Stores that can wait for the bus while the processor continues; 0: it waits for each "
          "store.");
    visit("store_policy", "", cache.store_policy, fits::Names{{"buffered", "block-port", "stall"}},
          "What waits until a store is complete: nothing, the cache port, or the processor.");
    visit("update_exchange", "", cache.update_exchange, fits::Names{{"one-update", "locked"}},
          "How xchg is made on a shared line under write-update: by one store that updates the "
          "other copies, or by a locked read, a locked store and an unlock. Other locked "
          "instructions, and an operand in two dwords, always take the second way.");
}

struct SubPageConfig {
    bool present = false;
};

template <class Visit>
void for_each_field(SubPageConfig& sub_page, Visit&& visit) {
    visit("present", "", sub_page.present, fits::Flag{},
          "Whether a processor can lock a line for longer than an instruction, as the KSR1 does "
          "with get_sub_page and release_sub_page. On nodes, other nodes are kept off the whole "
          "block.");
}

struct ControllerConfig : CacheConfig {
    BusConfig bus;
    Time processor_period;
    std::uint32_t processors;
    Topology topology;
    std::uint32_t upgrade_completion_cycles;  // of the bus
    bool sub_page_locks;
    RomAlias rom;
};

}  // namespace symsim
