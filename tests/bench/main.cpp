// SPDX-License-Identifier: MIT
// SystemC brings a main of its own, and wants an sc_main for it.
#include <benchmark/benchmark.h>

#include <systemc>

#include "sim/base/failure.h"

int sc_main(int, char**) {
    symsim::impossible("SystemC's main was called, not that of the benchmarks");
}

BENCHMARK_MAIN();
