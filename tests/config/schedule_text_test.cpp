// SPDX-License-Identifier: MIT
#include "sim/config/schedule_text.h"

#include <gtest/gtest.h>

#include "sim/base/failure.h"

namespace symsim::test {
namespace {

std::string refusal(const std::string& text) {
    try {
        parse_schedule(text, 3);
    } catch (const UserError& error) {
        return error.what();
    }
    return "(accepted)";
}

TEST(ScheduleText, HasEntriesOfEachKind) {
    const auto all = parse_schedule(
        "1 access 12 hold 80000,0 instruction 27  stores 40000, 0 instruction 30 interrupt", 2);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].processor, 1u);
    EXPECT_EQ(all[0].entry.at, ScheduleEntry::At::access);
    EXPECT_EQ(all[0].entry.number, 12u);
    EXPECT_EQ(all[0].entry.what, ScheduleEntry::What::hold);
    EXPECT_EQ(all[0].entry.delay, 80 * kMicrosecond);
    EXPECT_EQ(all[1].text, "0 instruction 27 stores 40000");
    EXPECT_EQ(all[1].entry.what, ScheduleEntry::What::hold_stores);
    EXPECT_EQ(all[2].entry.what, ScheduleEntry::What::interrupt);
    EXPECT_EQ(all[2].entry.at, ScheduleEntry::At::instruction);
}

TEST(ScheduleText, MayBeEmpty) {
    EXPECT_TRUE(parse_schedule("", 1).empty());
    EXPECT_TRUE(parse_schedule("  ", 1).empty());
}

TEST(ScheduleText, IsRefusedWithTheEntryAndTheForm) {
    for (const char* entry :
         {"0 access 3", "0 access 0 hold 5", "0 access 3 hold 0", "x access 3 hold 5",
          "0 acces 3 hold 5", "0 access 3 holds 5", "0 access 3 hold 5 ns", "0 access 3 interrupt",
          "0 instruction 3 interrupt 5", "0 access 3 hold 1000000001", "0 access -1 hold 5"}) {
        const std::string why = refusal(std::string("1 access 1 hold 5, ") + entry);
        EXPECT_NE(why.find(std::string("\"") + entry + "\" is not an entry"), std::string::npos)
            << why;
        EXPECT_NE(why.find("PROCESSOR (access|instruction)"), std::string::npos) << why;
    }
    EXPECT_NE(refusal("0 access 1 hold 5,").find("\"\" is not an entry"), std::string::npos);
    EXPECT_NE(refusal("3 access 1 hold 5").find("take one of 0 to 2"), std::string::npos);
}

TEST(ScheduleText, HasTheEntriesOfAProcessorInOrder) {
    EXPECT_NE(refusal("0 access 9 hold 5, 0 access 3 hold 5").find("put it before it"),
              std::string::npos);
    EXPECT_EQ(refusal("0 access 9 hold 5, 1 access 3 hold 5, 0 access 9 stores 5"), "(accepted)");
}

}  // namespace
}  // namespace symsim::test
