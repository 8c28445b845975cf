// SPDX-License-Identifier: MIT
// Benchmarks a probe point: finding it in an image with many, and evaluating its operand.
#include <benchmark/benchmark.h>

#include "sim/image/image.h"
#include "sim/image/probe_records.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x100000;
constexpr Address kProbes = 64;

void probe(benchmark::State& state) {
    ElfWriter elf;
    elf.entry(kCode).code(".text", kCode, Bytes(kProbes, 0x90)).symbol("main", kCode, kProbes);
    for (Address n = 0; n < kProbes; ++n) elf.probe(kCode + n, n % 3 + 1, "4(%ebx)");
    const ProbePoints points = probe_points(parse_image(elf.bytes(), "guest.elf", 2u << 20));
    Registers registers;
    registers[ebx] = kCode;
    const auto peek = [](Address address, unsigned) { return address; };
    const auto reg = [&](std::uint8_t n) { return registers[n]; };
    Address at = 0;
    for (auto _ : state) {
        for (const Probe& point : points.at(kCode + at)) {
            benchmark::DoNotOptimize(point.kind);
            benchmark::DoNotOptimize(evaluate(point.operand, reg, peek));
        }
        at = (at + 7) % kProbes;
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(probe);

}  // namespace
}  // namespace symsim::test
