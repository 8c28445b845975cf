// SPDX-License-Identifier: MIT
// The texts for exceptions and error codes in failure reports.
#include "sim/cpu/delivery/exception_text.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

TEST(ExceptionText, ExplainsTheBitsOfAPageFaultsErrorCode) {
    EXPECT_EQ(error_code_text(14, 0), "read by supervisor code of a page that is not present");
    EXPECT_EQ(error_code_text(14, 6), "write by user code to a page that is not present");
    EXPECT_EQ(error_code_text(14, 7), "write by user code to a page that its rights forbid");
    EXPECT_EQ(error_code_text(14, 5), "read by user code of a page that its rights forbid");
}

TEST(ExceptionText, NamesTheDescriptorThatASelectorMeans) {
    EXPECT_EQ(error_code_text(13, 0), "no selector");
    EXPECT_EQ(error_code_text(13, 0x18), "selector 0x0018 in the GDT");
    EXPECT_EQ(error_code_text(11, 0x1C), "selector 0x001c in the LDT");
    EXPECT_EQ(error_code_text(13, 8 * 0x21 + 2), "gate 33 of the IDT");
    EXPECT_EQ(error_code_text(11, 0x19),
              "selector 0x0018 in the GDT, in delivering an interrupt or exception");
}

TEST(ExceptionText, GivesTheKnownParts) {
    GuestFailure failure;
    EXPECT_EQ(exception_text(failure), "");
    failure.vector = 6;
    EXPECT_EQ(exception_text(failure), "exception 6 #UD (invalid opcode)");
    failure.vector = 9;
    EXPECT_EQ(exception_text(failure), "exception 9 #CO (coprocessor segment overrun)");
    failure.vector = 40;
    EXPECT_EQ(exception_text(failure), "exception 40 (interrupt)");
    failure.vector = 14;
    failure.error_code = 2;
    failure.cr2 = 0x1000;
    EXPECT_EQ(exception_text(failure),
              "exception 14 #PF (page fault), error code 0x2: write by supervisor code to a page "
              "that is not present, cr2 0x00001000");
}

}  // namespace
}  // namespace symsim
