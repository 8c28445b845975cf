// SPDX-License-Identifier: MIT
#include "sim/image/static_probes.h"

#include <gtest/gtest.h>

#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

void put(Bytes& to, std::uint32_t word) {
    for (unsigned bit = 0; bit < 32; bit += 8) to.push_back(static_cast<std::uint8_t>(word >> bit));
}

// As SystemTap's sys/sdt.h writes it.
Bytes note(Address pc, Address base, const std::string& texts) {
    Bytes bytes;
    put(bytes, 8);
    put(bytes, static_cast<std::uint32_t>(12 + texts.size()));
    put(bytes, 3);
    for (const char c : std::string("stapsdt\0", 8)) bytes.push_back(static_cast<std::uint8_t>(c));
    put(bytes, pc);
    put(bytes, base);
    put(bytes, 0);
    bytes.insert(bytes.end(), texts.begin(), texts.end());
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    return bytes;
}

std::vector<StaticProbe> read(const Bytes& notes) {
    const ElfWriter elf = ElfWriter()
                              .entry(0x0804'8000)
                              .code(".text", 0x0804'8000, {0x90, 0xf4})
                              .data(".stapsdt.base", 0x0804'9000, {0})
                              .raw(".note.stapsdt", notes);
    return read_static_probes(ElfFile(elf.bytes(), "a.out", ElfFile::For::linux_kernel));
}

TEST(StaticProbes, HaveNamesAndArguments) {
    Bytes notes = note(0x0804'8001, 0x0804'9000, std::string("p\0one\0-4@%eax 1@8(%ebp)\0", 24));
    const Bytes second = note(0x0804'8000, 0x0804'8ff0, std::string("p\0two\0\0", 7));
    notes.insert(notes.end(), second.begin(), second.end());
    const auto probes = read(notes);
    ASSERT_EQ(probes.size(), 2u);
    EXPECT_EQ(probes[0].address, 0x0804'8001u);
    EXPECT_EQ(probes[0].name, "p:one");
    EXPECT_EQ(probes[0].arguments, (std::vector<std::string>{"-4@%eax", "1@8(%ebp)"}));
    EXPECT_EQ(probes[1].address, 0x0804'8010u);  // the code was moved after the link
    EXPECT_TRUE(probes[1].arguments.empty());
}

TEST(StaticProbes, CutOffAreRefused) {
    Bytes notes = note(0x0804'8000, 0, std::string("p\0one\0\0", 7));
    notes.resize(notes.size() - 4);
    EXPECT_NE(user_error([&] { read(notes); }).find(".note.stapsdt is cut off"), std::string::npos);
    notes.resize(8);
    EXPECT_NE(user_error([&] { read(notes); }).find(".note.stapsdt is cut off"), std::string::npos);
}

}  // namespace
}  // namespace symsim::test
