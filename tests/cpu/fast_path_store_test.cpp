// SPDX-License-Identifier: MIT
// Stores on the fast path: they have the same effect and raise the same faults as on the slow path.
// An instruction that reads and writes its operand reads it only if it may write it.
#include <gtest/gtest.h>

#include "sim/base/transaction_kind.h"
#include "sim/protocol/protocols.h"
#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

constexpr Address kOperand = 0x20'6000;
constexpr std::uint32_t kDatum = 0x1234'5678;
constexpr std::uint32_t kWritable = 2, kDirty = 0x40;

class FastPathStore : public testing::Test {
  protected:
    FastPathStore() {
        bench.regs()[esi] = kOperand;
        bench.memory.write(kOperand, 4, 1);
    }
    Segment& data() { return bench.processor.system().segments[ds]; }
    Address page_entry() const {
        const Address table = bench.memory.read(bench.processor.system().cr3, 4) & ~0xfffu;
        return table + 4 * (kOperand >> 12);
    }
    void set_page_bits(std::uint32_t clear) {
        bench.memory.write(page_entry(), 4, bench.memory.read(page_entry(), 4) & ~clear);
    }
    // Whether the store is executed without waiting for the bus; code and operand are in the cache.
    // If the store faults, or hlt does in ring 3, the run ends: there are no descriptor tables.
    bool stores(const char* store) {
        const std::string text = std::string("inc eax; ") + store + "; inc eax; hlt";
        const Bytes code = assemble({text.c_str()})[0];
        const Registers regs = bench.regs();
        const System system = bench.processor.system();
        // Brings the code and the operand into the cache.
        bench.run(assemble({"mov ebx, [esi]; hlt"})[0]);
        bench.run(code);
        bench.processor.system() = system;
        bench.regs() = regs;
        bench.regs()[eax] = kDatum - 1;
        bench.memory.write(kOperand, 4, 1);
        return continues();
    }
    bool continues(Address offset = 0) {
        bench.processor.system_changed();
        Context& context = bench.processor.context();
        context.eip = Bench::kCode + offset;
        context.halted = false;
        static_cast<UnderWay&>(context) = {};
        const Time commit_time = context.time + kMillisecond;
        bench.processor.run(commit_time, commit_time + 1);
        return stored() != 1;
    }
    std::uint32_t stored() const { return bench.cache.peek(kOperand, 4); }

    Bench bench{0, Isa::i386, StorePolicy::block_port};
};

TEST_F(FastPathStore, WritesWhereItIsAllowed) {
    EXPECT_TRUE(stores("mov [esi], eax")) << bench.complaint();
    EXPECT_EQ(stored(), kDatum);
    EXPECT_EQ(bench.regs()[eax], kDatum + 1);
}

TEST_F(FastPathStore, TwoInARowOnlyTheFirstEntersTheWriteBufferAtOnce) {
    bench.regs()[edi] = kOperand + 16;
    EXPECT_TRUE(stores("mov [esi], eax; mov [edi], eax"));
    EXPECT_EQ(stored(), kDatum);
    EXPECT_EQ(bench.regs()[eax], kDatum) << "the second waits for the cache port";
}

TEST_F(FastPathStore, ReadModifyWriteStoresTheNewValue) {
    EXPECT_TRUE(stores("add [esi], eax")) << bench.complaint();
    EXPECT_EQ(stored(), kDatum + 1);
}

TEST_F(FastPathStore, WithLockPrefixTakesTheSlowPath) {
    EXPECT_FALSE(stores("lock add [esi], eax"));
}

TEST_F(FastPathStore, PushMovesTheStackPointer) {
    bench.regs()[esp] = kOperand + 4;
    EXPECT_TRUE(stores("push eax")) << bench.complaint();
    EXPECT_EQ(stored(), kDatum);
    EXPECT_EQ(bench.regs()[esp], kOperand);
}

TEST_F(FastPathStore, FaultsBeyondTheLimitOfItsSegment) {
    data().limit = kOperand + 2;
    EXPECT_FALSE(stores("mov [esi], eax"));
    data().limit = kOperand + 3;
    EXPECT_TRUE(stores("mov [esi], eax"));
}

TEST_F(FastPathStore, FaultsInASegmentThatIsNotWritable) {
    data().access = kReadWriteData & ~2;
    EXPECT_FALSE(stores("mov [esi], eax"));
}

TEST_F(FastPathStore, GoesToASegmentWithABase) {
    data().base = 0x100;
    bench.regs()[esi] = kOperand - 0x100;
    EXPECT_TRUE(stores("mov [esi], eax")) << bench.complaint();
    EXPECT_EQ(stored(), kDatum);
}

TEST_F(FastPathStore, FaultsInRing3OnAPageThatIsNotWritable) {
    turn_paging_on(bench.memory, bench.processor);
    set_page_bits(kWritable);
    EXPECT_TRUE(stores("mov [esi], eax")) << "a 386 does not keep ring 0 from it";
    go_to_ring_3(bench.processor);
    EXPECT_FALSE(stores("mov [esi], eax"));
}

TEST_F(FastPathStore, SetsTheDirtyBitOfItsPage) {
    turn_paging_on(bench.memory, bench.processor);
    bench.regs()[eax] = kDatum;
    set_page_bits(kDirty);
    ASSERT_EQ(bench.run(assemble({"mov ebx, [esi]; hlt; inc eax; mov [esi], eax; hlt"})[0]),
              StopReason::halted);
    EXPECT_FALSE(continues(3)) << "the bit comes first, and needs the bus";
    while (bench.bus.next_event() != kNever) bench.bus.advance(bench.bus.next_event());
    EXPECT_EQ(bench.go(), StopReason::halted);
    EXPECT_EQ(stored(), bench.regs()[eax]);
    EXPECT_TRUE(bench.memory.read(page_entry(), 4) & kDirty);
}

// When a line was last used decides which line a later fill evicts.
TEST_F(FastPathStore, ThatFaultsDoesNotCountAsAUseOfTheLine) {
    turn_paging_on(bench.memory, bench.processor);
    go_to_ring_3(bench.processor);
    ASSERT_TRUE(stores("add [esi], eax")) << bench.complaint();
    while (bench.bus.next_event() != kNever) bench.bus.advance(bench.bus.next_event());
    set_page_bits(kWritable);
    bench.processor.flush_tlb();
    const System system = bench.processor.system();
    const Bytes code = assemble({"mov ebx, [esi]; nop; add [esi], eax; inc eax; hlt"})[0];
    ASSERT_EQ(bench.run(code), StopReason::failed);
    bench.processor.system() = system;
    bench.memory.write(kOperand, 4, 1);
    const Time begin = bench.processor.context().time;
    EXPECT_FALSE(continues());
    const Line* const line = bench.cache.cache().find(kOperand);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->used, begin) << "by the mov";
}

class FastPathStoreInOwnLine : public testing::Test {
  protected:
    FastPathStoreInOwnLine() { bench.regs()[esi] = kOperand; }
    // Executes the program again, with all lines in the cache and owned by it. Returns how long the
    // program takes and what it changes.
    struct Outcome {
        Time time, used;
        std::uint64_t changes;
        std::uint32_t eax;
        StopReason stop_reason;
    };
    Outcome again(DebugHook* hook) {
        Context& context = bench.processor.context();
        context.eip = Bench::kCode;
        context.halted = false;
        static_cast<UnderWay&>(context) = {};
        context.regs[eax] = kDatum;
        context.fetch_line = kNoLine;
        bench.processor.set_debug_hook(hook);
        const Time begin = context.time += kMillisecond;
        const std::uint64_t changes = context.changes;
        const StopReason stop_reason =
            bench.processor.run(begin + kMillisecond, begin + kMillisecond + 1);
        const Line* const line = bench.cache.cache().find(kOperand);
        return {context.time - begin, line ? line->used - begin : -1, context.changes - changes,
                context.regs[eax], stop_reason};
    }

    Bench bench{1, Isa::i386, StorePolicy::block_port, protocols::illinois};
};

TEST_F(FastPathStoreInOwnLine, NeedsNoBusAndTakesAsLongAsOnTheSlowPath) {
    const Bytes code = assemble(
        {"inc eax; mov [esi], eax; add [esi + 4], eax; mov [esi + 9], al; inc eax; hlt"})[0];
    ASSERT_EQ(bench.run(code), StopReason::halted);
    ASSERT_EQ(bench.run(code), StopReason::halted);
    bench.memory.write(kOperand, 4, 0);
    bench.memory.write(kOperand + 4, 4, 1);
    bench.memory.write(kOperand + 8, 4, 0);
    const std::size_t uses = bench.observer.uses.size();
    const Outcome fast = again(nullptr);
    EXPECT_EQ(fast.stop_reason, StopReason::halted);
    EXPECT_EQ(fast.eax, kDatum + 2);
    EXPECT_EQ(bench.memory.read(kOperand, 4), kDatum + 1);
    EXPECT_EQ(bench.memory.read(kOperand + 4, 4), kDatum + 2);
    EXPECT_EQ(bench.memory.read(kOperand + 8, 4), ((kDatum + 1) & 0xff) << 8);
    EXPECT_EQ(fast.changes, 3u) << "no loop that stores repeats with the same state";
    EXPECT_EQ(bench.observer.uses.size(), uses) << "of the bus";
    LooksOn hook;
    const Outcome stepped = again(&hook);
    EXPECT_EQ(fast.time, stepped.time);
    EXPECT_EQ(fast.used, stepped.used);
    EXPECT_EQ(fast.changes, stepped.changes);
}

TEST_F(FastPathStoreInOwnLine, AcrossTwoDwordsIsTwoStores) {
    const Bytes code = assemble({"inc eax; mov [esi + 2], eax; inc eax; hlt"})[0];
    ASSERT_EQ(bench.run(code), StopReason::halted);
    ASSERT_EQ(bench.run(code), StopReason::halted);
    const Outcome fast = again(nullptr);
    LooksOn hook;
    EXPECT_EQ(fast.time, again(&hook).time);
    EXPECT_EQ(fast.changes, 2u);
}

TEST_F(FastPathStoreInOwnLine, MakesAnExclusiveLineModified) {
    const Bytes code = assemble({"mov [esi], eax; hlt"})[0];
    ASSERT_EQ(bench.run(code), StopReason::halted);
    bench.cache.cache().find(kOperand)->state = LineState::exclusive;
    EXPECT_EQ(again(nullptr).stop_reason, StopReason::halted);
    EXPECT_EQ(bench.cache.cache().find(kOperand)->state, LineState::modified);
}

TEST_F(FastPathStoreInOwnLine, ToASharedLineUpgradesItOverTheBus) {
    const Bytes code = assemble({"mov [esi], eax; hlt"})[0];
    ASSERT_EQ(bench.run(code), StopReason::halted);
    bench.cache.cache().find(kOperand)->state = LineState::shared;
    again(nullptr);
    EXPECT_EQ(bench.cache.cache().find(kOperand)->state, LineState::shared);
    EXPECT_EQ(bench.go(), StopReason::halted);
    EXPECT_EQ(bench.observer.uses.back().kind, TransactionKind::upgrade);
}

// The instruction that the store changes is decoded again.
TEST_F(FastPathStoreInOwnLine, ChangesCode) {
    const char* const text =
        "mov [esi], al; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; "
        "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; hlt";
    bench.regs()[esi] = Bench::kCode + 32;
    bench.regs()[eax] = 0x43;  // inc ebx
    ASSERT_EQ(bench.run(assemble({text})[0]), StopReason::halted);
    const std::uint32_t ebx_before = bench.regs()[ebx];
    Context& context = bench.processor.context();
    for (const std::uint8_t opcode : {0x43, 0x4b, 0x4b}) {  // dec ebx
        context.eip = Bench::kCode;
        context.halted = false;
        static_cast<UnderWay&>(context) = {};
        bench.regs()[eax] = opcode;
        ASSERT_EQ(bench.go(), StopReason::halted);
    }
    EXPECT_EQ(bench.regs()[ebx], ebx_before - 1);
}

}  // namespace
}  // namespace symsim::test
