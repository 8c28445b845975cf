// SPDX-License-Identifier: MIT
// Benchmarks SystemC's kernel alone, without symsim, as a measure of the host's speed.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <benchmark/benchmark.h>

#include <systemc>

namespace symsim::test {
namespace {

constexpr int kProcesses = 20;

// SystemC method processes that wake at different periods and do nothing but count.
void kernel_wake(benchmark::State& state) {
    using namespace sc_core;
    static std::int64_t wakes = 0;
    static const bool spawned = [] {
        sc_spawn_options as_method;
        as_method.spawn_method();
        for (int i = 0; i < kProcesses; ++i) {
            const sc_time period(62'500 + 14 * i, SC_PS);
            const auto wake = [period] {
                ++wakes;
                next_trigger(period);
            };
            sc_spawn(wake, sc_gen_unique_name("process"), &as_method);
        }
        sc_start(SC_ZERO_TIME);
        return true;
    }();
    benchmark::DoNotOptimize(spawned);
    const std::int64_t before = wakes;
    for (auto _ : state) sc_start(sc_time(10, SC_US));
    state.SetItemsProcessed(wakes - before);
}
BENCHMARK(kernel_wake);

}  // namespace
}  // namespace symsim::test
