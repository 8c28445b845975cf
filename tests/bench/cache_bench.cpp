// SPDX-License-Identifier: MIT
// Benchmarks look-ups in a cache: hits that mark the line as used, and misses that are filled.
#include <benchmark/benchmark.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "sim/cache/cache.h"

namespace symsim::test {
namespace {

constexpr std::size_t kAccesses = 4096;

constexpr CacheGeometry kGeometry{65536, 2, 16};

// Addresses of random dwords below `end`.
std::vector<Address> addresses(Address end) {
    std::mt19937 random(1);
    std::vector<Address> chosen(kAccesses);
    for (Address& address : chosen) address = random() % end & ~3u;
    return chosen;
}

void cache_hit(benchmark::State& state) {
    Cache cache(kGeometry);
    for (Address line = 0; line < kGeometry.size_bytes; line += kGeometry.line_bytes)
        cache.install(line, LineState::shared, 0);
    const std::vector<Address> chosen = addresses(kGeometry.size_bytes);
    Time now = 0;
    for (auto _ : state) {
        cache.uses().begin(now);  // as for a processor that runs ahead
        for (const Address address : chosen) {
            Line* const line = cache.find(address);
            if (!line) throw std::logic_error("a line that was installed is not there");
            cache.use(*line, ++now);
        }
    }
    state.SetItemsProcessed(state.iterations() * kAccesses);
}
BENCHMARK(cache_hit);

void cache_miss(benchmark::State& state) {
    Cache cache(kGeometry);
    const std::vector<Address> chosen = addresses(16u << 20);
    Time now = 0;
    for (auto _ : state)
        for (const Address address : chosen)
            if (!cache.find(address))
                benchmark::DoNotOptimize(cache.install(address, LineState::shared, ++now));
    state.SetItemsProcessed(state.iterations() * kAccesses);
}
BENCHMARK(cache_miss);

}  // namespace
}  // namespace symsim::test
