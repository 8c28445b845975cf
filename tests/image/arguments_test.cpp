// SPDX-License-Identifier: MIT
#include "sim/image/arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim {
namespace {

using test::Bytes;
using test::ElfWriter;
using test::user_error;

constexpr std::uint64_t kMemory = 2 << 20;
constexpr Address kBuffer = 0x101000;

Image guest(std::uint32_t buffer_bytes, std::uint32_t symbol_size) {
    ElfWriter elf;
    elf.entry(0x100000)
        .code(".text", 0x100000, Bytes(16, 0x90))
        .data(".data", kBuffer, Bytes(buffer_bytes, 0xee))
        .symbol("symsim_boot_args", kBuffer, symbol_size, ElfWriter::Symbol::object);
    return parse_image(elf.bytes(), "guest.elf", kMemory);
}

TEST(Arguments, BeginWithProcessorsAndSeed) {
    EXPECT_EQ(argument_text(20, 4294967295u, {}), "processors=20\nseed=4294967295\n");
    EXPECT_EQ(argument_text(1, 0, {{"lock", "read"}, {"count", "1000"}}),
              "processors=1\nseed=0\ncount=1000\nlock=read\n");
}

TEST(Arguments, WordsOfMainAreNumberedLines) {
    Image image = guest(16, 16);
    EXPECT_EQ(word_lines(image, "", ""), "");
    EXPECT_SAYS(user_error([&] { word_lines(image, "a", ""); }),
                "guest.argv: guest.elf passes no words to main()");
    EXPECT_SAYS(user_error([&] { word_lines(image, "", "A=b"); }),
                "guest.env: guest.elf is not a Linux program");
    Symbol symbol;
    symbol.name = "arguments_words";
    image.symbols = Symbols(std::vector<Symbol>{symbol});
    EXPECT_EQ(word_lines(image, "8 'two words' ''", ""), "1=8\n2=two words\n3=\n");
    EXPECT_SAYS(user_error([&] { word_lines(image, "'a\nb'", ""); }), "line break");
    image.linux_program = true;
    EXPECT_EQ(word_lines(image, "a", "A=b"), "") << "the kernel passes them on";
}

Image guest_that_asks_for_memory_size(Address symbol) {
    ElfWriter elf;
    elf.entry(0x100000)
        .code(".text", 0x100000, Bytes(16, 0x90))
        .data(".data", kBuffer, Bytes(16, 0xee))
        .symbol("symsim_memory_bytes", symbol, 4, ElfWriter::Symbol::object);
    return parse_image(elf.bytes(), "guest.elf", kMemory);
}

TEST(Arguments, MemorySizeIsWrittenToItsSymbol) {
    Memory memory(kMemory);
    const Image image = guest_that_asks_for_memory_size(kBuffer + 4);
    image.copy_to(memory);
    write_arguments(image, "", memory);
    EXPECT_EQ(memory.read(kBuffer + 4, 4), kMemory);
    EXPECT_EQ(memory.read(kBuffer, 4), 0xeeeeeeeeu) << "before it";
    EXPECT_EQ(memory.read(kBuffer + 8, 4), 0xeeeeeeeeu) << "behind it";
    EXPECT_SAYS(user_error([&] {
                    write_arguments(guest_that_asks_for_memory_size(kBuffer + 13), "", memory);
                }),
                "symsim_memory_bytes");
}

TEST(Arguments, AreFollowedByZerosToTheEndOfTheBuffer) {
    Memory memory(kMemory);
    const Image image = guest(32, 16);
    image.copy_to(memory);
    write_arguments(image, "a=1\n", memory);
    const std::string found(memory.data() + kBuffer, memory.data() + kBuffer + 16);
    EXPECT_EQ(found, std::string("a=1\n") + std::string(12, '\0'));
    EXPECT_EQ(memory.read(kBuffer + 16, 1), 0xeeu) << "behind the buffer";
}

TEST(Arguments, LeaveRoomForTheGuestsTwoTerminators) {
    Memory memory(kMemory);
    const Image image = guest(4096, 4096);
    EXPECT_EQ(user_error([&] { write_arguments(image, std::string(4094, 'x'), memory); }),
              "(no error)");
    EXPECT_SAYS(user_error([&] { write_arguments(image, std::string(4095, 'x'), memory); }),
                "room for 4094 bytes");
}

TEST(Arguments, AreNotWrittenToAnImageWithoutTheBuffer) {
    ElfWriter elf;
    elf.entry(0x100000).code(".text", 0x100000, Bytes(16, 0x90));
    Memory memory(kMemory);
    write_arguments(parse_image(elf.bytes(), "guest.elf", kMemory), std::string(9999, 'x'), memory);
    EXPECT_TRUE(std::all_of(memory.data(), memory.data() + kMemory,
                            [](std::uint8_t byte) { return byte == 0; }));
}

TEST(Arguments, NeedABufferThatIsInMemory) {
    Memory memory(kMemory);
    EXPECT_SAYS(user_error([&] { write_arguments(guest(16, 4096), "a=1\n", memory); }),
                "guest.elf: symsim_boot_args at 0x00101000 is not in memory");
    EXPECT_SAYS(user_error([&] { write_arguments(guest(16, 0), "a=1\n", memory); }),
                "is not in memory");
}

}  // namespace
}  // namespace symsim
