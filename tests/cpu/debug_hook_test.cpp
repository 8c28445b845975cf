// SPDX-License-Identifier: MIT
// A debug hook that only observes does not change what the processor does, nor when.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

class Onlooker final : public DebugHook {
  public:
    bool begins(ProcessorId) override {
        ++begun;
        return true;
    }
    void accessed(ProcessorId, const OperandAccess& access) override {
        accesses.emplace_back(access.address, access.size, access.write);
    }
    void failed(ProcessorId) override { ++failures; }
    unsigned begun = 0;
    unsigned failures = 0;
    std::vector<std::tuple<Address, unsigned, bool>> accesses;
};

// Each pause: time, eip, and how far the instruction has come (fetch progress, accesses made).
using Pauses = std::vector<std::tuple<Time, Address, unsigned, unsigned>>;

Pauses pauses_of(const Bytes& bytes, DebugHook* hook) {
    Bench bench;
    turn_paging_on(bench.memory, bench.processor);
    bench.regs()[esi] = 0x20'6ffe;
    bench.processor.set_debug_hook(hook);
    Pauses pauses;
    bench.at_pause = [&] {
        const Context& context = bench.processor.context();
        pauses.emplace_back(context.time, context.eip, context.fetched, context.accesses);
    };
    EXPECT_EQ(bench.run(bytes), StopReason::halted) << bench.complaint();
    return pauses;
}

// Loads, stores and jumps to pages that are not in the TLB.
const char* const kProgram =
    "mov eax, [esi]; mov [esi + 0x1000], eax; xchg [esi + 0x2002], eax; push eax; pop ecx;"
    "mov ecx, 3; mov edi, 0x204000; rep stosd; nop; hlt";

TEST(DebugHook, ChangesNothing) {
    const Bytes bytes = assemble({kProgram})[0];
    Onlooker onlooker;
    const Pauses alone = pauses_of(bytes, nullptr);
    EXPECT_GT(alone.size(), 20u);
    EXPECT_EQ(pauses_of(bytes, &onlooker), alone);
    EXPECT_GE(onlooker.begun, 10u);
}

TEST(DebugHook, IsCalledOnceForEachAccess) {
    const Bytes bytes = assemble({"mov eax, [esi]; mov [esi + 4], al; xchg [esi], eax; hlt"})[0];
    Bench bench;
    Onlooker onlooker;
    bench.regs()[esi] = Bench::kData;
    bench.processor.set_debug_hook(&onlooker);
    ASSERT_EQ(bench.run(bytes), StopReason::halted);
    ASSERT_EQ(bench.run(bytes), StopReason::halted) << "with all in the cache";
    const decltype(onlooker.accesses) once = {{Bench::kData, 4, false},
                                              {Bench::kData + 4, 1, true},
                                              {Bench::kData, 4, false},
                                              {Bench::kData, 4, true}};
    auto twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    EXPECT_EQ(onlooker.accesses, twice);
}

TEST(DebugHook, IsCalledForAFailure) {
    Bench bench;
    Onlooker onlooker;
    EXPECT_EQ(bench.processor.set_debug_hook(&onlooker), nullptr);
    EXPECT_EQ(bench.run(assemble({"ud2"})[0]), StopReason::failed);
    EXPECT_EQ(onlooker.failures, 1u);
    EXPECT_EQ(bench.processor.set_debug_hook(nullptr), &onlooker);
}

}  // namespace
}  // namespace symsim::test
