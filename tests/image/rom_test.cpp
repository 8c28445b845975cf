// SPDX-License-Identifier: MIT
#include "sim/image/image.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/symsim_program.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

constexpr std::uint64_t kRomMemory = 2 << 20;

class ARom : public testing::Test {
  protected:
    Image load(const std::string& bytes, Address address = 0xF0000) const {
        return load_rom(scratch.write("rom.bin", bytes), address, kRomMemory);
    }
    std::string refusal(const std::string& bytes, Address address = 0xF0000) const {
        return user_error([&] { load(bytes, address); });
    }
    ScratchFolder scratch;
};

TEST_F(ARom, IsAtItsAddressAndAgainBelow4GB) {
    std::string bytes(0x10000, '\x90');
    bytes[0] = '\x12';
    bytes[0xFFF0] = '\x34';
    const Image rom = load(bytes);
    Memory memory(kRomMemory);
    rom.copy_to(memory);
    EXPECT_EQ(memory.read(0xF0000, 1), 0x12u);
    EXPECT_EQ(memory.read(0xFFFF0, 1), 0x34u);
    EXPECT_EQ(memory.read(0xEFFFF, 1), 0u);
    EXPECT_EQ(rom.alias.in_memory(0xFFFF'0000), 0xF0000u);
    EXPECT_EQ(rom.alias.in_memory(0xFFFF'FFF0), 0xFFFF0u);
    EXPECT_EQ(rom.alias.in_memory(0xFFFF'FFFF), 0xFFFFFu);
    EXPECT_EQ(rom.alias.in_memory(0xFFFE'FFFF), 0xFFFE'FFFFu);
}

TEST_F(ARom, EndsAt4GBWhateverItsSize) {
    const Image small = load(std::string(48, 'x'), 0xC8010);
    EXPECT_EQ(small.alias.in_memory(0xFFFF'FFFF), 0xC803Fu);
    EXPECT_EQ(small.alias.in_memory(0xFFFF'FFD0), 0xC8010u);
    EXPECT_EQ(small.alias.in_memory(0xFFFF'FFCF), 0xFFFF'FFCFu);
    const Image large = load(std::string(0x20000, 'x'), 0xE0000);
    EXPECT_EQ(large.alias.in_memory(0xFFFE'0000), 0xE0000u);
}

TEST_F(ARom, StartsAtTheResetVector) {
    const Image rom = load(std::string(16, 'x'));
    ASSERT_TRUE(rom.real_mode);
    EXPECT_EQ(rom.real_mode->selector, 0xF000);
    EXPECT_EQ(rom.real_mode->base + rom.real_mode->eip, 0xFFFF'FFF0u);
}

TEST_F(ARom, BootSectorStartsWhereABiosLoadsIt) {
    std::string sector(512, '\0');
    EXPECT_EQ(load(sector).segments[0].address, 0xF0000u);
    sector[511] = '\xAA';
    EXPECT_EQ(load(sector).segments[0].address, 0xF0000u) << "half the signature";
    sector[510] = '\x55';
    const Image rom = load(sector);
    EXPECT_EQ(rom.segments[0].address, 0x7C00u);
    EXPECT_EQ(rom.real_mode->base + rom.real_mode->eip, 0x7C00u);
    EXPECT_EQ(rom.alias.in_memory(0xFFFF'FFF0), 0xFFFF'FFF0u);
}

TEST_F(ARom, InvalidFileIsRefusedWithTheCure) {
    EXPECT_SAYS(refusal(""), "has 0 bytes");
    EXPECT_SAYS(refusal(std::string(100, 'x')), "multiple of 16");
    EXPECT_SAYS(refusal(std::string("\x7f"
                                    "ELF") +
                        std::string(60, '\0')),
                "guest.image");
    EXPECT_SAYS(user_error([] { load_rom("/no/such.bin", 0, kRomMemory); }), "/no/such.bin");
    EXPECT_SAYS(user_error([] { load_rom("/tmp", 0, kRomMemory); }), "not a file");
}

TEST_F(ARom, JustBeyondMemoryIsRefusedNamingBothKeys) {
    const std::string bytes(0x10000, 'x');
    EXPECT_NO_THROW(load(bytes, 0x1F0000));
    const std::string why = refusal(bytes, 0x1F0010);
    EXPECT_SAYS(why, "guest.rom_address = 0x1f0010");
    EXPECT_SAYS(why, "0x200010");
    EXPECT_SAYS(why, "memory.size_mb");
}

}  // namespace
}  // namespace symsim::test
