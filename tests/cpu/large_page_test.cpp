// SPDX-License-Identifier: MIT
// Pages of 4 MB, which a 586 has if PSE of cr4 is set; and WP of cr0, which a 486 has.
#include <gtest/gtest.h>

#include "sim/cpu/isa/clocks.h"
#include "tests/cpu/bench.h"
#include "tests/cpu/page_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kLarge = 0x80;
constexpr int kPage = 14;

// 0 to 4 MB are mapped to themselves, by a table. The directory's entry for 4 to 8 MB has `bits`
// and leads to the first 4 MB too.
struct LargePage : testing::Test {
    void start(std::uint32_t bits, Isa isa = Isa::i586, bool pse = true) {
        bench = std::make_unique<Bench>(0, isa);
        map(bench->memory, kPresent | kWritable | kUser | kAccessed | kDirty);
        bench->memory.write(kDirectory + 4, 4, bits);
        System& system = bench->processor.system();
        system.cr3 = kDirectory;
        system.cr4 = pse ? cr4::kPageSize : 0;
        system.cr0 |= cr0::kPaging;
        bench->processor.system_changed();
    }
    StopReason run(const std::string& source) { return bench->run(assemble({source})[0]); }
    std::uint32_t entry() const { return bench->memory.read(kDirectory + 4, 4); }
    std::unique_ptr<Bench> bench;
};

TEST_F(LargePage, IsTranslatedByTheDirectoryAlone) {
    start(kLarge | kPresent | kWritable);
    bench->memory.write(0x20'4010, 4, 0x1234'5678);
    ASSERT_EQ(run("mov eax, [0x604010]"), StopReason::halted) << bench->complaint();
    EXPECT_EQ(bench->regs()[eax], 0x1234'5678u);
    EXPECT_EQ(entry(), kLarge | kPresent | kWritable | kAccessed);
    EXPECT_EQ(bench->processor.look_up(0x60'5123), 0x20'5123u) << "not in the TLB";
    ASSERT_EQ(run("mov [0x605014], eax"), StopReason::halted) << bench->complaint();
    EXPECT_EQ(bench->memory.read(0x20'5014, 4), 0x1234'5678u);
    EXPECT_EQ(entry(), kLarge | kPresent | kWritable | kAccessed | kDirty);
}

TEST_F(LargePage, AWalkMakesOneRead) {
    start(kLarge | kPresent | kWritable | kAccessed | kDirty);
    const auto clocks = [&](const char* source) { return bench->clocks(assemble({source})[0]); };
    const unsigned hits = clocks("mov ecx, [0x604000]; mov ecx, [0x604000]");
    // Nine lines, in nine pages of 4 KB whose entries are in one set of the TLB, of which four fit.
    std::string pages;
    for (unsigned n = 0; n < 9; ++n)
        pages += "mov ecx, [" + std::to_string(0x604000 + 0x8010 * n) + "];";
    EXPECT_EQ(hits, 8u);
    EXPECT_EQ(clocks(pages.c_str()), 9 * (4 + 2 + kPageWalkClocks));
}

TEST_F(LargePage, ItsRightsAreThoseOfTheDirectory) {
    const struct {
        std::uint32_t bits;
        bool write;
        int error;  // -1: none
    } cases[] = {{kLarge | kPresent | kWritable | kUser, true, -1},
                 {kLarge | kPresent | kUser, false, -1},
                 {kLarge | kPresent | kUser, true, 7},
                 {kLarge | kPresent | kWritable, false, 5},
                 {kLarge | kWritable | kUser, false, 4}};
    for (const auto& c : cases) {
        start(c.bits);
        bench->processor.system().cpl = 3;
        bench->regs()[ebx] = 0x60'4000;
        run(c.write ? "mov [ebx], eax; int3" : "mov eax, [ebx]; int3");
        const GuestFailure& failure = bench->processor.failure();
        EXPECT_EQ(failure.vector == kPage ? static_cast<int>(*failure.error_code) : -1, c.error);
        const std::uint32_t marks = c.error >= 0 ? 0 : c.write ? kAccessed | kDirty : kAccessed;
        EXPECT_EQ(entry(), c.bits | marks);
    }
}

// The bit means nothing without PSE: the entry leads to a table, here one of zeros.
TEST_F(LargePage, NeedsPse) {
    for (const Isa isa : {Isa::i386, Isa::i586}) {
        start(0x10'0000 | kLarge | kPresent | kWritable, isa, false);
        EXPECT_EQ(run("mov eax, [0x604010]"), StopReason::failed);
        EXPECT_EQ(bench->processor.failure().vector, kPage);
        EXPECT_EQ(bench->processor.failure().error_code, 0u);
    }
}

// The page has entries for two parts in the TLB; invlpg of a third part removes both.
TEST_F(LargePage, InvlpgForgetsAllOfIt) {
    start(kLarge | kPresent | kWritable);
    bench->memory.write(0x20'4000, 4, 1);
    ASSERT_EQ(run("mov eax, [0x604000]; mov eax, [0x605000]; mov dword ptr [0x300004], 0;"
                  "mov eax, [0x604000]"),
              StopReason::halted)
        << "the entry that is gone is still in the TLB: " << bench->complaint();
    EXPECT_EQ(bench->regs()[eax], 1u);
    EXPECT_EQ(run("invlpg [0x700000]; mov eax, [0x604000]"), StopReason::failed);
    EXPECT_EQ(bench->processor.failure().vector, kPage);
}

TEST(WriteProtect, Ring0HonoursReadOnlyPagesFromThe486On) {
    for (const Isa isa : {Isa::i386, Isa::i486, Isa::i586, Isa::i686}) {
        Bench bench(0, isa);
        map(bench.memory, kPresent | kWritable);
        bench.memory.write(entry_of(0x20'5000), 4, 0x20'5000 | kPresent);
        // mov cr0 drops WP on a 386.
        const auto code =
            assemble({"mov eax, 0x300000; mov cr3, eax; mov eax, cr0;"
                      "or eax, 0x80010000; mov cr0, eax; mov [0x205000], eax"})[0];
        const bool faults = isa != Isa::i386;
        EXPECT_EQ(bench.run(code), faults ? StopReason::failed : StopReason::halted);
        EXPECT_EQ(bench.processor.failure().error_code.value_or(0), faults ? 3u : 0u);
    }
}

}  // namespace
}  // namespace symsim::test
