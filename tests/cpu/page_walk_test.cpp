// SPDX-License-Identifier: MIT
// Page walks as seen on the bus: their cost, their accesses, and that they do not disturb an
// instruction's own address lock. The guests in tests/guest test what paging means for programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/transaction_kind.h"
#include "sim/cpu/isa/clocks.h"
#include "tests/cpu/bench.h"
#include "tests/cpu/page_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

class Paged : public testing::Test {
  protected:
    void map(std::uint32_t bits) { test::map(bench.memory, bits); }
    Bytes turned_on_before(const std::string& body) {
        return assemble(
            {"mov eax, 0x300000; mov cr3, eax; mov eax, cr0; or eax, 0x80000000;"
             "mov cr0, eax;" +
             body})[0];
    }
    std::uint32_t entry(Address page) { return bench.memory.read(entry_of(page), 4); }
    // The bus requests for the operand's line and for the page tables, in order: kind and line.
    std::vector<std::pair<TransactionKind, Address>> uses_of(Address operand) {
        std::vector<std::pair<TransactionKind, Address>> found;
        for (const BusUse& use : bench.observer.uses) {
            const Address line = use.address & ~15u;
            const bool table = line >= kDirectory && line < kTable + 0x1000;
            if (!use.reply && (table || line == (operand & ~15u)))
                found.emplace_back(use.kind, line);
        }
        return found;
    }
    // The clocks of `measured` after `before`, with everything in the cache: the difference between
    // two runs, with it and without it.
    unsigned clocks_of(const std::string& before, const std::string& measured) {
        Bench with, without;
        for (Bench* b : {&with, &without})
            test::map(b->memory, kPresent | kWritable | kAccessed | kDirty);
        return with.clocks(turned_on_before(before + measured)) -
               without.clocks(turned_on_before(before));
    }

    Bench bench;
};

TEST_F(Paged, AWalkTakesTwoReadsAndItsOwnClocks) {
    const std::string load = "mov ebx, [0x204000];";
    const unsigned hit = clocks_of(load, load);
    const unsigned miss = clocks_of("mov ebx, [0x206000];", load);
    EXPECT_EQ(hit, 4u);
    EXPECT_EQ(miss, 4u + 2 * 2 + kPageWalkClocks);
}

// The instruction xchg [ebx], eax crosses a page border. Its second byte, 03, is on a page that
// does not follow the first page in memory. The byte that does, c3, would make it xchg ebx, eax,
// which does not lock.
TEST_F(Paged, ALockedInstructionOnTwoPagesReleasesItsLine) {
    constexpr Address kPage = 0x20'a000, kElsewhere = 0x20'd000, kOperand = 0x20'4000;
    map(kPresent | kWritable | kAccessed | kDirty);
    bench.memory.write(entry_of(kPage + 0x1000), 4,
                       kElsewhere | kPresent | kWritable | kAccessed | kDirty);
    bench.memory.write(kPage + 0xfff, 1, 0x87);
    bench.memory.write(kPage + 0x1000, 1, 0xc3);
    bench.memory.write(kElsewhere, 2, Bench::kHlt << 8 | 0x03);
    EXPECT_EQ(bench.run(turned_on_before("mov ebx, 0x204000; mov ecx, 0x20afff; jmp ecx;")),
              StopReason::halted)
        << bench.complaint();
    std::vector<TransactionKind> kinds;
    for (const BusUse& use : bench.observer.uses)
        if (!use.reply && (use.address & ~15u) == kOperand) kinds.push_back(use.kind);
    EXPECT_EQ(kinds, (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                   TransactionKind::locked_store,
                                                   TransactionKind::unlock}));
}

TEST_F(Paged, TheFirstWriteToAPageWalksAgain) {
    const std::string load = "mov ebx, [0x204000];";
    const std::string store = "mov [0x204000], ebx;";
    // The load brings the page into the TLB as not dirty.
    bench.memory.write(kDirectory, 4, kTable | kPresent | kWritable | kAccessed);
    map(kPresent | kWritable | kAccessed);
    bench.run(turned_on_before(load));
    EXPECT_FALSE(entry(0x204000) & kDirty);
    Bench second;
    bench.run(turned_on_before(load + store));
    EXPECT_TRUE(entry(0x204000) & kDirty);
}

TEST_F(Paged, SetsMissingAccessedAndDirtyBitsByLockedUpdates) {
    map(kPresent | kWritable);
    ASSERT_EQ(bench.run(turned_on_before("mov ebx, [0x204000]; mov [0x205000], ebx")),
              StopReason::halted);
    EXPECT_TRUE(bench.memory.read(kDirectory, 4) & kAccessed);
    EXPECT_EQ(entry(0x204000) & (kAccessed | kDirty), kAccessed);
    EXPECT_EQ(entry(0x205000) & (kAccessed | kDirty), kAccessed | kDirty);
    EXPECT_EQ(entry(0x206000) & (kAccessed | kDirty), 0u);
}

// A locked instruction holds the lock of its own line from its read until after its store. The walk
// locks and releases the lines of the page tables separately.
TEST_F(Paged, ALockedInstructionKeepsItsLockDuringWalksAndUpdates) {
    constexpr Address kOperand = 0x20'4000;
    map(kPresent | kWritable);
    ASSERT_EQ(bench.run(turned_on_before("mov ecx, 7; xchg [0x204000], ecx")), StopReason::halted);
    const Address line = kOperand & ~15u;
    const Address entry_line = entry_of(kOperand) & ~15u;
    const auto uses = uses_of(kOperand);
    const auto at = [&](TransactionKind kind, Address a) {
        std::vector<std::size_t> places;
        for (std::size_t n = 0; n < uses.size(); ++n)
            if (uses[n] == std::pair{kind, a}) places.push_back(n);
        return places;
    };
    ASSERT_EQ(at(TransactionKind::locked_read, line).size(), 1u);
    ASSERT_EQ(at(TransactionKind::locked_store, line).size(), 1u);
    ASSERT_EQ(at(TransactionKind::unlock, line).size(), 1u);
    const std::size_t from = at(TransactionKind::locked_read, line)[0];
    EXPECT_LT(from, at(TransactionKind::locked_store, line)[0]);
    EXPECT_LT(at(TransactionKind::locked_store, line)[0], at(TransactionKind::unlock, line)[0]);
    // The page's entry was updated too: each of its locked updates was released once.
    ASSERT_GE(at(TransactionKind::locked_store, entry_line).size(), 1u);
    EXPECT_EQ(at(TransactionKind::locked_store, entry_line).size(),
              at(TransactionKind::unlock, entry_line).size());
    EXPECT_TRUE(entry(kOperand) & kDirty);
    EXPECT_EQ(bench.memory.read(kOperand, 4), 7u);
}

TEST_F(Paged, ALockedOperandAcrossTwoPagesLocksBothLinesUntilItsEnd) {
    map(kPresent | kWritable);
    bench.memory.write(0x204ffe, 2, 0xffff);
    bench.memory.write(0x205000, 2, 0xffff);
    ASSERT_EQ(bench.run(turned_on_before("lock inc dword ptr [0x204ffe]")), StopReason::halted);
    EXPECT_EQ(bench.memory.read(0x204ffe, 2), 0u);
    EXPECT_EQ(bench.memory.read(0x205000, 2), 0u);
    std::vector<TransactionKind> kinds;
    for (const BusUse& use : bench.observer.uses) {
        const Address line = use.address & ~15u;
        if (!use.reply && (line == 0x204ff0 || line == 0x205000)) kinds.push_back(use.kind);
    }
    const std::vector<TransactionKind> expected = {
        TransactionKind::locked_read,  TransactionKind::locked_read, TransactionKind::locked_store,
        TransactionKind::locked_store, TransactionKind::unlock,      TransactionKind::unlock};
    EXPECT_EQ(kinds, expected);
}

TEST_F(Paged, AStoreThatFaultsOnTheSecondPageDoesNotWriteTheFirst) {
    map(kPresent | kWritable | kUser);
    bench.memory.write(entry_of(0x205000), 4, 0);
    bench.memory.write(0x204ffc, 4, 0x11223344);
    EXPECT_EQ(bench.run(turned_on_before("mov dword ptr [0x204ffe], -1")), StopReason::failed);
    EXPECT_EQ(bench.memory.read(0x204ffc, 4), 0x11223344u);
    EXPECT_EQ(bench.processor.system().cr2, 0x205000u);
    EXPECT_NE(bench.complaint().find("page fault"), std::string::npos) << bench.complaint();
}

// PRM 5.2.4.3: the bits are set before a read or write of the page. An access that faults makes
// none.
TEST_F(Paged, AWalkThatFaultsSetsNoAccessedBit) {
    struct Case {
        const char* text;
        std::uint32_t upper, lower;  // bits of the directory's and of the table's entry
    };
    const Case cases[] = {
        {"absent page", kPresent | kWritable | kUser, kWritable | kUser},
        {"supervisor page", kPresent | kWritable | kUser, kPresent | kWritable},
        {"read-only page", kPresent | kWritable | kUser, kPresent | kUser},
        {"read-only table", kPresent | kUser, kPresent | kWritable | kUser},
    };
    for (const Case& c : cases) {
        Bench b;
        test::map(b.memory, kPresent | kWritable | kUser);
        // A table of its own, for 8 MB and up, so that no other access uses its directory entry.
        constexpr Address kUpper = kDirectory + 2 * 4, kLower = 0x30'2000 + 4 * 4;
        b.memory.write(kUpper, 4, 0x30'2000 | c.upper);
        b.memory.write(kLower, 4, 0x204000 | c.lower);
        b.processor.system().cr0 |= 0x8000'0000;
        b.processor.system().cr3 = kDirectory;
        b.processor.system().cpl = 3;
        b.processor.system_changed();
        EXPECT_EQ(b.run(assemble({"mov [0x804000], eax"})[0]), StopReason::failed) << c.text;
        EXPECT_EQ(b.processor.system().cr2, 0x804000u) << c.text;
        EXPECT_EQ(b.memory.read(kUpper, 4), 0x30'2000 | c.upper) << c.text;
        EXPECT_EQ(b.memory.read(kLower, 4), 0x204000 | c.lower) << c.text;
    }
}

TEST_F(Paged, AWalkReadsBothEntriesBeforeItSetsBits) {
    map(kPresent | kWritable);
    bench.memory.write(kDirectory + 4, 4, 0x30'2000 | kPresent | kWritable);
    bench.memory.write(0x30'2010, 4, 0x204000 | kPresent | kWritable);
    ASSERT_EQ(bench.run(turned_on_before("mov [0x404000], eax")), StopReason::halted);
    std::vector<std::pair<TransactionKind, Address>> uses;
    for (const BusUse& use : bench.observer.uses)
        if (!use.reply) uses.emplace_back(use.kind, use.address & ~15u);
    const std::pair table_read{TransactionKind::read, Address{0x30'2010}};
    const auto from = std::find(uses.begin(), uses.end(), table_read);
    ASSERT_NE(from, uses.end());
    // The directory's line is in the cache: the walk of the code has read and updated it.
    const auto expected = std::vector<std::pair<TransactionKind, Address>>{
        table_read,
        {TransactionKind::locked_read, kDirectory},
        {TransactionKind::locked_store, kDirectory},
        {TransactionKind::unlock, kDirectory},
        {TransactionKind::locked_read, 0x30'2010},
        {TransactionKind::locked_store, 0x30'2010},
        {TransactionKind::unlock, 0x30'2010},
    };
    ASSERT_GE(uses.end() - from, 7);
    EXPECT_EQ(std::vector(from, from + 7), expected);
}

TEST_F(Paged, AnInstructionAcrossTwoPagesIsFetchedFromBothFrames) {
    map(kPresent | kWritable);
    // mov eax, 0x12345678 begins two bytes before the end of a page; the next page is elsewhere.
    const Bytes code = turned_on_before("mov ecx, 0x202ffe; jmp ecx");
    bench.memory.write(entry_of(0x203000), 4, 0x207000 | kPresent | kWritable);
    bench.memory.write(0x202ffe, 2, 0x78b8);
    bench.memory.write(0x207000, 3, 0x123456);
    bench.memory.write(0x207003, 1, Bench::kHlt);
    bench.memory.write(0x203000, 4, 0xf4f4f4f4);
    ASSERT_EQ(bench.run(code), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.regs()[eax], 0x12345678u);
}

}  // namespace
}  // namespace symsim::test
