// SPDX-License-Identifier: MIT
// The random machine of one round: all options of caches and bus, chosen by the round's seed.
// Caches are so small that accesses conflict.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/nodes/nodes_config.h"
#include "tests/support/part_configs.h"

namespace symsim::test {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    // 0 to n-1. The standard library's distributions are not used: their results differ between
    // implementations.
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((engine_() >> 32) * n >> 32);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    std::uint32_t word() { return static_cast<std::uint32_t>(engine_() >> 32); }
    template <class T, std::size_t N>
    T pick(const std::array<T, N>& from) {
        return from[below(N)];
    }

  private:
    std::mt19937_64 engine_;
};

constexpr Address kPageBytes = 4096;  // of the 386
constexpr std::uint32_t kPages = 3;
// The page after the others represents page tables. A port locks and updates entries there while
// its instruction has locked other lines. It never locks other lines while it has locked an entry.
constexpr std::uint32_t kTables = kPages;

struct RoundConfig {
    std::uint64_t seed = 0;
    std::uint32_t ports = 2;
    ControllerConfig cache = test_controller_config();
    InterconnectConfig bus = test_bus_config();
    bool crossbar = false;  // in place of the bus
    bool on_nodes = false;  // in place of the bus
    NodeMachineConfig nodes = test_nodes_config();
    // Accesses go to `pages` pages, and in each page to `lines` lines at either end.
    std::uint32_t pages = 1;
    std::uint32_t lines = 1;
    bool exchanges = false;  // ports make exchanges by one update
    bool last_page_is_code = false;
    std::uint32_t longest_pause_clocks = 0;
    std::uint32_t accesses_per_port = 0;

    std::string text() const;
};

RoundConfig random_round(std::uint64_t seed, const Protocol& protocol, StorePolicy policy);
// The same round on a machine of nodes. Network caches are so small too that blocks conflict.
RoundConfig random_round_on_nodes(std::uint64_t seed, const Protocol& protocol, StorePolicy policy);

}  // namespace symsim::test
