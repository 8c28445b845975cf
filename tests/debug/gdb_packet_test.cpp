// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_packet.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

using Seen = GdbPacketReader::Seen;

// Feeds the bytes of `line` to the reader and returns the answer to the last byte. The answer to
// every earlier byte must be Seen::nothing.
Seen read(GdbPacketReader& reader, std::string_view line) {
    Seen seen = Seen::nothing;
    for (const char c : line) {
        EXPECT_EQ(seen, Seen::nothing) << "before the end of " << line;
        seen = reader.add(c);
    }
    return seen;
}

TEST(GdbPacket, EndsWithTheChecksumOfItsBytes) {
    EXPECT_EQ(gdb_frame(""), "$#00");
    EXPECT_EQ(gdb_frame("OK"), "$OK#9a");
}

TEST(GdbPacket, EscapesTheSpecialCharactersOfTheProtocol) {
    EXPECT_EQ(gdb_frame("}"), "$}]#da");
    for (const std::string payload : {"$", "#", "*", "a}b$c#d*e", "\x03"}) {
        GdbPacketReader reader;
        EXPECT_EQ(read(reader, gdb_frame(payload)), Seen::packet);
        EXPECT_EQ(reader.payload(), payload);
    }
}

TEST(GdbPacket, IsFoundAfterAcknowledgementsAndRubbish) {
    GdbPacketReader reader;
    EXPECT_EQ(read(reader, "+++xyz$g#67"), Seen::packet);
    EXPECT_EQ(reader.payload(), "g");
    EXPECT_EQ(read(reader, "+$?#3f"), Seen::packet);
    EXPECT_EQ(reader.payload(), "?");
}

TEST(GdbPacket, IsDamagedIfItsChecksumIsWrong) {
    GdbPacketReader reader;
    EXPECT_EQ(read(reader, "$g#68"), Seen::damaged);
    EXPECT_EQ(read(reader, "$g#6g"), Seen::damaged);
    EXPECT_EQ(read(reader, "$g#67"), Seen::packet);
    EXPECT_EQ(read(reader, "$k#6B"), Seen::packet) << "digits of either case";
}

TEST(GdbPacket, BeginsAnewAtADollarSign) {
    GdbPacketReader reader;
    EXPECT_EQ(read(reader, "$m0,$?#3f"), Seen::packet);
    EXPECT_EQ(reader.payload(), "?");
}

TEST(GdbPacket, WithoutAnEndIsNotKept) {
    GdbPacketReader reader;
    const std::string most(GdbPacketReader::kMostPayload, 'x');
    EXPECT_EQ(read(reader, gdb_frame(most)), Seen::packet);
    EXPECT_EQ(read(reader, "$" + most + "x"), Seen::too_long);
    EXPECT_EQ(read(reader, "$g#67"), Seen::packet);
}

TEST(GdbPacket, CtrlCCountsBetweenPacketsOnly) {
    GdbPacketReader reader;
    EXPECT_EQ(reader.add('\x03'), Seen::interrupt);
    EXPECT_EQ(reader.add('-'), Seen::again);
    EXPECT_EQ(read(reader, "$\x03#03"), Seen::packet);
    EXPECT_EQ(reader.payload(), "\x03");
}

TEST(GdbPacket, NumbersAndBytesAreHexadecimal) {
    EXPECT_EQ(to_hex(std::string("\x00\x7f\xff", 3)), "007fff");
    EXPECT_EQ(from_hex("007fFF"), std::string("\x00\x7f\xff", 3));
    EXPECT_EQ(from_hex("0"), std::nullopt);
    EXPECT_EQ(from_hex("0x"), std::nullopt);
    std::string_view text = "1fG";
    EXPECT_EQ(take_number(text), 0x1fu);
    EXPECT_EQ(text, "G");
    EXPECT_EQ(take_number(text), std::nullopt);
    EXPECT_TRUE(take(text, "G"));
    EXPECT_FALSE(take(text, "G"));
}

}  // namespace
}  // namespace symsim::test
