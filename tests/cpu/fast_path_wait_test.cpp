// SPDX-License-Identifier: MIT
// A light load that has to wait leaves behind what it would by itself: as under a debugger, where
// no instruction is light.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/cpu/bench.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

// Where a processor has come to, and how far with the instruction there.
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

// At each pause, and at the hlt. The code is in the cache, and the data if `warm`.
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

TEST(FastPathWait, ALoadWaitsAsByItself) {
    const std::vector<std::string> programs = {
        "inc eax; mov ebx, [esi + 32]; inc eax; hlt",                     // a miss, if cold
        "mov [esi], eax; mov ebx, [esi + 32]; inc eax; hlt",              // behind a store
        "mov [esi], eax; inc eax; add ebx, [esi]; inc eax; hlt",          // of the same place
        "mov [esi], eax; mov ebx, [esi + 31]; inc eax; hlt",              // in two dwords
        "push eax; pop ebx; push ebx; pop ecx; inc ecx; hlt",             // of the stack
        "mov [esi], eax; add [esi + 32], eax; inc eax; hlt",              // to be stored behind
        "mov [esi], eax; mov ebx, [0xc8000004]; inc eax; hlt",            // of a board register
        "mov [esi], eax; mov ebx, [0x7ffffc]; mov ecx, [0x7ffffc]; hlt",  // at memory's end
        // longer than a light run: one ends where a jump leads
        "mov ecx, 200; mov [esi], eax; mov ebx, [esi + 32]; 1: add ebx, ecx; dec ecx; jnz 1b; hlt",
        "call 1f; hlt; 1: mov [esi], eax; ret",  // of a branch's target
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
