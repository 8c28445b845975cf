// SPDX-License-Identifier: MIT
#include "sim/image/probe_records.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/base/probe_point.h"
#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim {
namespace {

using test::Bytes;
using test::ElfWriter;
using test::user_error;

const Symbols& symbols() {
    static const Symbols table({{"lock", 0x2000, 4, 0x2004, true, true, false},
                                {"table.1", 0x3000, 64, 0x3040, true, false, false},
                                {"twin", 0x10, 4, 0x14, true, false, false},
                                {"twin", 0x20, 4, 0x24, true, false, false}});
    return table;
}

// Register n has the value 0x1000 * (n + 1) + 0x8142, so that registers and their parts can be told
// apart. A read of memory returns 0xfeed and records its address and size.
struct Answer {
    std::uint32_t value;
    Address peeked = 0;
    unsigned size = 0;
};
std::uint32_t register_value(unsigned n) {
    return 0x1000 * (n + 1) + 0x8142;
}
Answer value_of(const std::string& text) {
    Answer answer{};
    answer.value = evaluate(parse_probe_operand(text, symbols()), register_value,
                            [&](Address address, unsigned size) {
                                answer.peeked = address;
                                answer.size = size;
                                return 0xfeedu;
                            });
    return answer;
}

TEST(ProbeOperand, ReadsRegistersAndTheirParts) {
    const std::pair<const char*, std::uint32_t> rows[] = {
        {"%eax", 0x9142}, {"%ecx", 0xa142}, {"%edx", 0xb142}, {"%ebx", 0xc142},
        {"%esp", 0xd142}, {"%ebp", 0xe142}, {"%esi", 0xf142}, {"%edi", 0x10142},
        {"%di", 0x0142},  {"%bp", 0xe142},  {"%al", 0x42},    {"%ah", 0x91},
        {"%bl", 0x42},    {"%bh", 0xc1},    {"%ch", 0xa1},    {"%dh", 0xb1}};
    for (const auto& [text, expected] : rows) EXPECT_EQ(value_of(text).value, expected) << text;
}

TEST(ProbeOperand, MeansTheRecordsOwnProgramInAnImageOfSeveral) {
    const Symbols table({{"lock", 0x2000, 4, 0x2004, true, true, false},
                         {"client.lock", 0x3000, 4, 0x3004, true, false, false},
                         {"server.lock", 0x4000, 4, 0x4004, true, false, false}});
    EXPECT_EQ(parse_probe_operand("$lock", table, "client").disp, 0x3000u);
    EXPECT_EQ(parse_probe_operand("lock+4(%eax)", table, "server").disp, 0x4004u);
    EXPECT_EQ(parse_probe_operand("$lock", table, "other").disp, 0x2000u);
    EXPECT_EQ(parse_probe_operand("$lock", table).disp, 0x2000u);
}

TEST(ProbeOperand, ReadsImmediates) {
    const std::pair<const char*, std::uint32_t> rows[] = {{"$0", 0},
                                                          {"$123", 123},
                                                          {"$-1", 0xffffffff},
                                                          {"$0x1F", 0x1f},
                                                          {"$lock", 0x2000},
                                                          {"$lock+4", 0x2004},
                                                          {"$lock-4", 0x1ffc},
                                                          {"$4+lock", 0x2004},
                                                          {"$table.1+8-4", 0x3004},
                                                          {"$4294967295", 0xffffffff}};
    for (const auto& [text, expected] : rows) {
        EXPECT_EQ(value_of(text).value, expected) << text;
        EXPECT_EQ(value_of(text).size, 0u) << text << " must not touch memory";
    }
}

TEST(ProbeOperand, ReadsMemory) {
    const std::pair<const char*, Address> rows[] = {
        {"lock", 0x2000},
        {"lock+2", 0x2002},
        {"0x1234", 0x1234},
        {"(%eax)", 0x9142},
        {"12(%esp)", 0xd142 + 12},
        {"-4(%ebp)", 0xe142 - 4},
        {"(%eax,%ebx,4)", 0x9142 + 4 * 0xc142},
        {"8(%eax,%ebx)", 0x9142 + 0xc142 + 8},
        {"lock(,%ecx,8)", 0x2000 + 8 * 0xa142},
        {"table.1-4(%edx)", 0x3000 - 4 + 0xb142},
        {" -4( %ebp , %esi , 2 ) ", 0xe142 + 2 * 0xf142 - 4},
    };
    for (const auto& [text, expected] : rows) {
        const Answer answer = value_of(text);
        EXPECT_EQ(answer.peeked, expected) << text;
        EXPECT_EQ(answer.size, 4u) << text;
        EXPECT_EQ(answer.value, 0xfeedu) << text;
    }
}

TEST(ProbeOperand, AddressesWrapRoundAtFourGigabytes) {
    EXPECT_EQ(value_of("0xfffffff0(%eax)").peeked, 0x9132u);
}

TEST(ProbeOperand, SaysWhatItCannotParse) {
    const std::pair<const char*, const char*> rows[] = {
        {"", "empty"},
        {"%", "not a general register"},
        {"%xmm0", "%xmm0"},
        {"%fs:4", "\"%fs:4\""},
        {"$", "term is missing"},
        {"$1+", "term is missing"},
        {"$12x", "\"12x\""},
        {"$4294967296", "32-bit"},
        {"$nobody", "no symbol \"nobody\""},
        {"$twin", "several symbols"},
        {"(%eax", "not closed"},
        {"()", "no register"},
        {"(%ax)", "cannot be part of an address"},
        {"(%eax,%esp,1)", "%esp cannot be an index"},
        {"(%eax,%ebx,3)", "3 is not a scale"},
        {"(%eax,%ebx,4,1)", "at most"},
        {"(%eax,)", "not a general register"},
        {"4(%eax)x", "not closed"},
    };
    for (const auto& [text, expected] : rows)
        EXPECT_SAYS(user_error([&] { parse_probe_operand(text, symbols()); }), expected)
            << "operand " << text;
}

ElfWriter guest() {
    ElfWriter elf;
    elf.entry(0x100000)
        .code(".text", 0x100000, Bytes(64, 0x90))
        .data(".data", 0x101000, Bytes(64, 0))
        .symbol("main", 0x100000, 64)
        .symbol("lock", 0x101010, 4, ElfWriter::Symbol::object);
    return elf;
}

ProbePoints points_of(const ElfWriter& elf) {
    return probe_points(parse_image(elf.bytes(), "guest.elf", 2 << 20));
}

TEST(ProbeRecords, KeepTheOrderOfProbesAtOneAddress) {
    const ProbePoints points = points_of(
        guest().probe(0x100008, 3, "$3").probe(0x100004, 1, "$1").probe(0x100008, 2, "$2"));
    EXPECT_FALSE(points.at(0x100004).empty());
    EXPECT_FALSE(points.at(0x100008).empty());
    EXPECT_TRUE(points.at(0x100005).empty());
    EXPECT_TRUE(points.at(0x100003).empty());
    std::vector<std::pair<ProbeKind, std::uint32_t>> seen;
    for (const Probe& p : points.at(0x100008)) seen.emplace_back(p.kind, p.operand.disp);
    const std::vector<std::pair<ProbeKind, std::uint32_t>> expected = {
        {ProbeKind::lock_release, 3}, {ProbeKind::lock_acquired, 2}};
    EXPECT_EQ(seen, expected);
}

TEST(ProbeRecords, NoneInAnImageWithoutProbes) {
    EXPECT_TRUE(ProbePoints().at(0).empty());
    EXPECT_TRUE(points_of(guest()).at(0x100000).empty());
}

TEST(ProbeRecords, HaveTheirOperands) {
    const ProbePoints points = points_of(guest()
                                             .probe(0x100004, 1, "%ebx")
                                             .probe(0x100004, 20, "8(%esp)")
                                             .probe(0x100004, 32, "$lock+4"));
    const auto peek = [](Address address, unsigned size) { return address + size; };
    std::vector<std::pair<ProbeKind, std::uint32_t>> seen;
    for (const Probe& p : points.at(0x100004))
        seen.emplace_back(p.kind, evaluate(p.operand, register_value, peek));
    const std::vector<std::pair<ProbeKind, std::uint32_t>> expected = {
        {ProbeKind::lock_attempt, register_value(ebx)},
        {ProbeKind::thread_resume, register_value(esp) + 8 + 4},
        {ProbeKind::message, 0x101014u}};
    EXPECT_EQ(seen, expected);
    EXPECT_TRUE(points.at(0x100005).empty());
}

TEST(ProbeRecords, AnInvalidRecordIsReportedWithImageAndNumber) {
    const auto error = [](ElfWriter elf) { return user_error([&] { points_of(elf); }); };
    const std::string kind = error(guest().probe(0x100004, 1, "$1").probe(0x100008, 9, "$1"));
    EXPECT_SAYS(kind, "guest image guest.elf: probe record 2 (at main+0x8)");
    EXPECT_SAYS(kind, "no kind 9");
    EXPECT_SAYS(error(guest().probe(0x101000, 1, "$1")), "not in code");
    EXPECT_SAYS(error(guest().probe(0x100040, 1, "$1")), "not in code");
    const std::string operand = error(guest().probe(0x100004, 1, "%st(0)"));
    EXPECT_SAYS(operand, "probe record 1");
    EXPECT_SAYS(operand, "operand \"%st(0)\"");
}

}  // namespace
}  // namespace symsim
