// SPDX-License-Identifier: MIT
// A fast-path load that has to wait leaves the processor in the same state as a load on the slow
// path. A debug hook forces the slow path: under it no instruction takes the fast path.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/cpu/bench.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

// A processor's state when run() returned: why and when it stopped, how far the current
// instruction has come, and the registers that the programs load into.
using WakeState = std::tuple<StopReason, Time, Address, std::uint64_t, unsigned, unsigned, bool,
                             Time, std::uint32_t, std::uint32_t>;

WakeState wake_states(const Bench& bench, StopReason stop_reason) {
    const Context& context = bench.processor.context();
    return {stop_reason,         context.time,
            context.eip,         context.instructions,
            context.fetched,     context.accesses,
            context.latched,     stop_reason == StopReason::retry ? bench.processor.next_time() : 0,
            context.regs.r[ebx], context.regs.r[ecx]};
}

// The states at each pause and at the hlt. The code is in the cache, and the data too if `warm`.
std::vector<WakeState> wake_states(const Bytes& bytes, StorePolicy policy, bool warm,
                                   DebugHook* hook) {
    Bench bench{0, Isa::i386, policy};
    bench.regs()[esi] = Bench::kData;
    bench.run(bytes);
    if (!warm) bench.regs()[esi] += 0x200;
    bench.processor.set_debug_hook(hook);
    bench.ahead = kMillisecond;
    std::vector<WakeState> all;
    bench.at_pause = [&] { all.push_back(wake_states(bench, StopReason::retry)); };
    all.push_back(wake_states(bench, bench.run(bytes)));
    return all;
}

TEST(FastPathWait, ALoadWaitsAsOnTheSlowPath) {
    const std::vector<std::string> programs = {
        "inc eax; mov ebx, [esi + 32]; inc eax; hlt",                     // a miss, if cold
        "mov [esi], eax; mov ebx, [esi + 32]; inc eax; hlt",              // after a store
        "mov [esi], eax; inc eax; add ebx, [esi]; inc eax; hlt",          // of the stored dword
        "mov [esi], eax; mov ebx, [esi + 31]; inc eax; hlt",              // across two dwords
        "push eax; pop ebx; push ebx; pop ecx; inc ecx; hlt",             // from the stack
        "mov [esi], eax; add [esi + 32], eax; inc eax; hlt",              // and store it again
        "mov [esi], eax; mov ebx, [0xc8000004]; inc eax; hlt",            // of a board register
        "mov [esi], eax; mov ebx, [0x7ffffc]; mov ecx, [0x7ffffc]; hlt",  // at memory's end
        // longer than one fast-path run, which takes 1024 clocks at most and ends at a jump target
        "mov ecx, 200; mov [esi], eax; mov ebx, [esi + 32]; 1: add ebx, ecx; dec ecx; jnz 1b; hlt",
        "call 1f; hlt; 1: mov [esi], eax; ret",  // the fetch at a branch target
    };
    const std::vector<Bytes> code = assemble(programs);
    LooksOn hook;
    for (const StorePolicy policy :
         {StorePolicy::block_port, StorePolicy::buffered, StorePolicy::stall})
        for (const bool warm : {false, true})
            for (std::size_t n = 0; n < code.size(); ++n) {
                const auto alone = wake_states(code[n], policy, warm, nullptr);
                EXPECT_EQ(alone, wake_states(code[n], policy, warm, &hook))
                    << programs[n] << (warm ? " warm" : " cold");
                EXPECT_EQ(std::get<0>(alone.back()), StopReason::halted) << programs[n];
            }
}

}  // namespace
}  // namespace symsim::test
