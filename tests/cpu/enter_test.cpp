// SPDX-License-Identifier: MIT
// enter: what it pushes, and its check of a write at the final stack pointer.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/cpu/page_tables.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

TEST(Enter, CopiesTheEbpItHasJustPushedWhereFramesOverlap) {
    // ebp is the top of the stack, so enter reads the enclosing frame's pointer from the dword to
    // which it has just pushed ebp.
    auto bench = after({0xc8, 0, 0, 2}, [](Bench& b) { b.regs()[ebp] = Bench::kStack; });
    EXPECT_EQ(bench->memory.read(Bench::kStack - 4, 4), Bench::kStack);
    EXPECT_EQ(bench->memory.read(Bench::kStack - 8, 4), Bench::kStack);
    EXPECT_EQ(bench->memory.read(Bench::kStack - 12, 4), Bench::kStack - 4);
    EXPECT_EQ(bench->regs()[ebp], Bench::kStack - 4);
    EXPECT_EQ(bench->regs()[esp], Bench::kStack - 12);
}

// Only sp wraps: ebp gets esp as it is after the first push, its upper half unchanged.
TEST(Enter, OnA16BitStackChangesNoMoreOfTheStackPointerThanSp) {
    auto bench = after({0xc8, 0, 0, 1}, [](Bench& b) {
        b.processor.system().stack_mask = 0xffff;
        b.regs()[esp] = 0x2'0000;
        b.regs()[ebp] = 0x1234'5678;
    });
    EXPECT_EQ(bench->regs()[ebp], 0x2'fffcu);
    EXPECT_EQ(bench->regs()[esp], 0x2'fff8u);
    EXPECT_EQ(bench->memory.read(0xfffc, 4), 0x1234'5678u);
    EXPECT_EQ(bench->memory.read(0xfff8, 4), 0x2'fffcu);
}

// A stack at Bench::kStack, with 16-bit or 32-bit stack pointer, and enter of any size and level.
// The frame reserves 0x1800 bytes: the pushes are on one page, the final stack pointer on another.
struct Frame {
    static constexpr std::uint32_t kReserved = 0x1800;
    static constexpr Address kPage = Bench::kStack - 0x2000;  // of the final stack pointer

    bool wide_stack, wide_operand;
    std::uint8_t level;

    Bytes bytes() const {
        Bytes all = {0xc8, kReserved & 0xff, kReserved >> 8, level};
        if (!wide_operand) all.insert(all.begin(), 0x66);
        return all;
    }
    std::uint32_t operand() const { return wide_operand ? 4 : 2; }
    std::uint32_t base() const { return wide_stack ? 0 : 0x20'0000; }
    std::uint32_t final_pointer() const {
        return Bench::kStack - base() - operand() * (level + 1) - kReserved;
    }
    // Maps every page for every ring, but the page at kPage with these bits.
    void prepare(Bench& b, std::uint32_t page, unsigned ring = 0) const {
        constexpr std::uint32_t kAll = kPresent | kWritable | kUser | kAccessed | kDirty;
        map(b.memory, kAll);
        b.memory.write(entry_of(kPage), 4, kPage | page);
        System& system = b.processor.system();
        system.cr0 |= 0x8000'0000;
        system.cr3 = kDirectory;
        system.cpl = ring;
        system.segments[ss].base = base();
        system.segments[ss].big = wide_stack;
        b.processor.system_changed();
        b.regs()[esp] -= base();
        b.regs()[ebp] = b.regs()[esp] + 0x100;
    }
};

template <class Check>
void for_each_frame(Check check) {
    for (const bool wide_stack : {false, true})
        for (const bool wide_operand : {false, true})
            for (std::uint8_t level = 0; level < 32; ++level) {
                const Frame frame{wide_stack, wide_operand, level};
                SCOPED_TRACE(testing::Message()
                             << "stack " << (wide_stack ? 32 : 16) << ", operand "
                             << 8 * frame.operand() << ", level " << +level);
                check(frame);
            }
}

TEST(Enter, FaultsIfAWriteAtTheFinalStackPointerWould) {
    for_each_frame([](const Frame& frame) {
        for (const std::uint32_t page : {kWritable | kUser, kPresent | kUser}) {
            Bench bench;
            frame.prepare(bench, page, 3);
            const Registers before = bench.regs();
            EXPECT_EQ(bench.run(frame.bytes()), StopReason::failed);
            EXPECT_EQ(bench.processor.failure().vector, 14);
            EXPECT_EQ(bench.processor.failure().error_code, page & kPresent ? 7u : 6u);
            EXPECT_EQ(bench.processor.system().cr2, frame.base() + frame.final_pointer());
            EXPECT_EQ(bench.regs().r, before.r);
            EXPECT_EQ(bench.memory.read(Bench::kStack - 4, 4), 0u);
            EXPECT_EQ(bench.memory.read(entry_of(Frame::kPage), 4), Frame::kPage | page);
        }
    });
}

TEST(Enter, WritesNothingAtTheFinalStackPointer) {
    for_each_frame([](const Frame& frame) {
        Bench bench;
        frame.prepare(bench, kPresent | kWritable | kUser);
        EXPECT_EQ(bench.run(frame.bytes()), StopReason::halted) << bench.complaint();
        EXPECT_EQ(bench.regs()[esp], frame.final_pointer());
        for (const BusUse& use : bench.observer.uses)
            EXPECT_NE(use.address >> 12, Frame::kPage >> 12);
        // The walk of the check is one for a write.
        EXPECT_TRUE(bench.memory.read(entry_of(Frame::kPage), 4) & kDirty);
    });
}

TEST(Enter, TakesNoTimeForItsCheckWhereThePageIsInTheTlb) {
    const auto clocks = [](std::uint8_t reserved_256) {
        Bench bench;
        Frame{true, true, 0}.prepare(bench, kPresent | kWritable | kUser | kAccessed | kDirty);
        return bench.clocks({0xc8, 0, reserved_256, 0, 0xc9});  // enter, leave
    };
    EXPECT_EQ(clocks(0x18), clocks(0));
}

// The manual pushes ebp, then reads and pushes in turn (PRM, ENTER): a fault of a push is a
// write's, although the frames to be copied are on the same page.
TEST(Enter, FaultsAtTheFirstOfItsPushesAndReads) {
    constexpr Address kTop = Bench::kStack, kBelow = kTop - 0x1000, kElsewhere = Bench::kData;
    struct Case {
        const char* text;
        Address absent, frame;
        std::uint32_t error_code;
        Address address;
    };
    const Case cases[] = {
        {"the first push, where the old frame is", kBelow, kTop, 2, kTop - 4},
        {"the first read", kElsewhere, kElsewhere + 0x100, 0, kElsewhere + 0xfc},
        {"the second read", kElsewhere, kElsewhere + 0x1004, 0, kElsewhere + 0xffc},
    };
    for (const Case& c : cases) {
        Bench bench;
        Frame{true, true, 0}.prepare(bench, kPresent | kWritable | kUser);
        bench.memory.write(entry_of(c.absent & ~0xfffu), 4, 0);
        bench.regs()[ebp] = c.frame;
        EXPECT_EQ(bench.run({0xc8, 0, 0, 3}), StopReason::failed);
        EXPECT_EQ(bench.processor.failure().vector, 14) << c.text;
        EXPECT_EQ(bench.processor.failure().error_code, c.error_code) << c.text;
        EXPECT_EQ(bench.processor.system().cr2, c.address) << c.text;
    }
}

// The segment of the stack is given; its other members stay flat.
struct StackSegment {
    std::uint32_t limit;
    std::uint8_t access;
    bool big;
};
std::unique_ptr<Bench> after_enter(const StackSegment& segment, std::uint32_t pointer,
                                   const Bytes& bytes) {
    return after(bytes, [&](Bench& b) {
        Segment& stack = b.processor.system().segments[ss];
        stack.limit = segment.limit;
        stack.access = segment.access;
        stack.big = segment.big;
        b.processor.system_changed();
        b.regs()[esp] = pointer;
        b.regs()[ebp] = pointer + 0x10;
    });
}

TEST(Enter, RaisesAStackFaultIfTheFinalStackPointerIsOutsideTheSegment) {
    struct Case {
        const char* text;
        StackSegment segment;
        std::uint32_t pointer;
        Bytes bytes;
        bool faults;
    };
    constexpr std::uint8_t kUpwards = 0x93, kDownwards = 0x97;
    const Case cases[] = {
        {"32-bit, wraps", {0xffff, kUpwards, true}, 0x1000, {0xc8, 0, 0x20, 0}, true},
        {"32-bit, fits", {0xffff, kUpwards, true}, 0x1000, {0xc8, 0, 0x08, 0}, false},
        {"16-bit, wraps", {0x7fff, kUpwards, false}, 0x1000, {0xc8, 0, 0x20, 3}, true},
        {"16-bit, wraps and fits", {0xffff, kUpwards, false}, 0x1000, {0xc8, 0, 0x20, 3}, false},
        {"16-bit, end beyond the limit",
         {0xffff, kUpwards, false},
         0x1000,
         {0xc8, 0xfe, 0x0f, 0},
         true},
        {"16-bit operand at the limit",
         {0xffff, kUpwards, false},
         0x1000,
         {0x66, 0xc8, 0x00, 0x10, 0},
         false},
        {"expand-down, 32-bit", {0x5fff, kDownwards, true}, 0x7000, {0xc8, 0, 0x10, 0}, true},
        {"expand-down, 16-bit", {0x5fff, kDownwards, false}, 0x7000, {0xc8, 0, 0x10, 31}, true},
        {"expand-down, fits", {0x5fff, kDownwards, true}, 0x7000, {0xc8, 0, 0x0f, 31}, false},
    };
    for (const Case& c : cases) {
        const auto bench = after_enter(c.segment, c.pointer, c.bytes);
        if (!c.faults) {
            EXPECT_EQ(bench->complaint(), "") << c.text;
            continue;
        }
        EXPECT_SAYS(bench->complaint(), "#SS") << c.text;
        EXPECT_EQ(bench->processor.failure().error_code, 0u) << c.text;
        EXPECT_EQ(bench->regs()[esp], c.pointer) << c.text;
        EXPECT_EQ(bench->regs()[ebp], c.pointer + 0x10) << c.text;
    }
}

}  // namespace
}  // namespace symsim::test
