// SPDX-License-Identifier: MIT
// The machine of one round: everything the config can choose about caches and bus, small enough
// that accesses get in each other's way, and all of it from the round's seed.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "tests/support/part_configs.h"

namespace symsim::test {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    // 0 .. n-1. Not the library's distribution, whose results differ between libraries.
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
// The page behind them stands for page tables: a processor updates it, locked, within an
// instruction that holds other lines locked, and never the other way round.
constexpr std::uint32_t kTables = kPages;

struct RoundConfig {
    std::uint64_t seed = 0;
    std::uint32_t ports = 2;
    ControllerConfig cache = test_controller_config();
    BusConfig bus = test_bus_config();
    // Accesses go to so many pages, and in each to so many lines at either end.
    std::uint32_t pages = 1;
    std::uint32_t lines = 1;
    bool last_page_is_code = false;
    std::uint32_t longest_pause_clocks = 0;
    std::uint32_t accesses_per_port = 0;

    std::string text() const;
};

RoundConfig random_round(std::uint64_t seed, ProtocolKind protocol, StorePolicy policy);

}  // namespace symsim::test
