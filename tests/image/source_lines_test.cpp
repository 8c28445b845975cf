// SPDX-License-Identifier: MIT
// Source lines of a built guest, and of files with no line tables or damaged ones.
#include "sim/image/source_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "sim/image/image.h"
#include "tests/support/elf_writer.h"

namespace symsim {
namespace {

constexpr const char* kGuest = BUILD_FOLDER "/guest/counter-read.elf";

std::vector<std::uint8_t> bytes_of(const char* path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SourceLines, OfABuiltGuestAreRelativeToTheProject) {
    const Image image = load_image(kGuest, 16 << 20);
    const SourceLines lines(image.file);
    const auto line_of = [&](const char* name) {
        const Symbol* symbol = image.symbols.find(name);
        return symbol ? lines.at(symbol->address) : std::string(name) + " is missing";
    };
    EXPECT_EQ(line_of("main").rfind("guest/workloads/counter.c:", 0), 0u) << line_of("main");
    EXPECT_EQ(line_of("_start").rfind("guest/boot/start.S:", 0), 0u) << line_of("_start");
    EXPECT_EQ(lines.at(0), "");
    EXPECT_EQ(lines.at(image.symbols.find("symsim_boot_args")->address), "");
}

TEST(SourceLines, AreEmptyWithoutLineTables) {
    EXPECT_EQ(SourceLines({}).at(0x100000), "");
    EXPECT_EQ(SourceLines({'n', 'o', ' ', 'E', 'L', 'F'}).at(0x100000), "");
    const auto plain = test::ElfWriter().entry(0x100000).code(".text", 0x100000, {0x90}).bytes();
    EXPECT_EQ(SourceLines(plain).at(0x100000), "");
}

// Guests may be built elsewhere. A damaged line table must not prevent the crash report.
TEST(SourceLines, ADamagedFileDoesNotCrash) {
    const std::vector<std::uint8_t> whole = bytes_of(kGuest);
    ASSERT_FALSE(whole.empty());
    constexpr unsigned kSeed = 1;
    std::mt19937 random(kSeed);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::uint8_t> damaged = whole;
        if (round % 3 == 0) damaged.resize(random() % damaged.size());
        for (int n = 0; n < 40 && !damaged.empty(); ++n)
            damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        const SourceLines lines(std::move(damaged));
        for (Address a = 0x100000; a < 0x102000; a += 0x333) lines.at(a);
    }
    SUCCEED() << "seed " << kSeed;
}

}  // namespace
}  // namespace symsim
