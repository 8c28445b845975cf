// SPDX-License-Identifier: MIT
// Probe points: what one costs when a processor comes to it, in an image with many.
#include <benchmark/benchmark.h>

#include "sim/machine/image.h"
#include "sim/machine/probe_table.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x100000;
constexpr Address kProbes = 64;

void probe(benchmark::State& state) {
    ElfWriter elf;
    elf.entry(kCode).code(".text", kCode, Bytes(kProbes, 0x90)).symbol("main", kCode, kProbes);
    for (Address n = 0; n < kProbes; ++n) elf.probe(kCode + n, n % 3 + 1, "4(%ebx)");
    const ProbeTable table(parse_image(elf.bytes(), "guest.elf", 2u << 20));
    Registers registers;
    registers[ebx] = kCode;
    const auto peek = [](Address address, unsigned) { return address; };
    const auto take = [](ProbeKind kind, std::uint32_t value) {
        benchmark::DoNotOptimize(kind);
        benchmark::DoNotOptimize(value);
    };
    Address at = 0;
    for (auto _ : state) {
        table.fire(kCode + at, registers, peek, take);
        at = (at + 7) % kProbes;
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(probe);

}  // namespace
}  // namespace symsim::test
