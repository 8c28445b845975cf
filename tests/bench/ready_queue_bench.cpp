// SPDX-License-Identifier: MIT
// Benchmarks the ready queue: the first processor runs, and has something to do again a little
// later.
#include <benchmark/benchmark.h>

#include <random>

#include "sim/engine/speculation/ready_queue.h"

namespace symsim::test {
namespace {

void ready_queue(benchmark::State& state) {
    ReadyQueue table(static_cast<std::size_t>(state.range(0)));
    std::minstd_rand random(1);
    for (auto _ : state) {
        const ProcessorId first = table.first();
        table.set(first, table.at(first) + 1 + static_cast<Time>(random() % 1024));
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ready_queue)->ArgName("processors")->Arg(1)->Arg(20)->Arg(64);

}  // namespace
}  // namespace symsim::test
