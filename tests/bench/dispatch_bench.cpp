// SPDX-License-Identifier: MIT
// Benchmarks execution: instructions of one processor in the fast engine, all accesses hits.
#include <benchmark/benchmark.h>

#include "tests/bench/loop.h"

namespace symsim::test {
namespace {

void dispatch(benchmark::State& state, bool loads) {
    constexpr Time kStretch = 10 * kMillisecond;  // of simulated time
    SmallMachine machine(1, assembled_loop(loads));
    Time to = machine.run_fast_until(kStretch);
    const std::uint64_t before = machine.processor(0).context().instructions;
    for (auto _ : state) to = machine.run_fast_until(to + kStretch);
    const std::uint64_t executed = machine.processor(0).context().instructions - before;
    state.SetItemsProcessed(static_cast<std::int64_t>(executed));
}
BENCHMARK_CAPTURE(dispatch, registers, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dispatch, loads, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace symsim::test
