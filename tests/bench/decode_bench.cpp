// SPDX-License-Identifier: MIT
// Benchmarks the decoder, which runs once for each code address.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "sim/cpu/isa/decoder.h"
#include "tests/bench/loop.h"

namespace symsim::test {
namespace {

void decode(benchmark::State& state) {
    const std::vector<std::uint8_t> code = assembled_loop(true);
    const Decoder decoder(Isa::i386);
    std::int64_t decoded = 0;
    for (auto _ : state)
        for (std::size_t at = 0; at < code.size(); ++decoded) {
            Op op;
            op.address = static_cast<Address>(SmallMachine::kCode + at);
            if (decoder.decode(&code[at], code.size() - at, true, op))
                throw std::logic_error("the loop has an instruction that does not exist");
            benchmark::DoNotOptimize(op);
            at += op.length;
        }
    state.SetItemsProcessed(decoded);
}
BENCHMARK(decode);

}  // namespace
}  // namespace symsim::test
