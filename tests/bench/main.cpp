// SPDX-License-Identifier: MIT
// main() of the benchmarks. SystemC's library has a main() of its own, which needs an sc_main().
#include <benchmark/benchmark.h>

#include <systemc>

#include "sim/base/failure.h"

int sc_main(int, char**) {
    symsim::impossible("SystemC's main was called, not that of the benchmarks");
}

BENCHMARK_MAIN();
