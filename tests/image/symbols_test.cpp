// SPDX-License-Identifier: MIT
#include "sim/image/symbols.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

Symbol function(const std::string& name, Address address, std::uint32_t size, bool global = true) {
    return {name, address, size, std::uint64_t{address} + size, true, global, false};
}

Symbol label(const std::string& name, Address address, std::uint64_t end) {
    return {name, address, 0, end, false, false, false};
}

TEST(Symbols, DescribeAnAddressByNameAndOffset) {
    const Symbols symbols({function("release", 0x1020, 8), function("acquire", 0x1000, 0x20)});
    EXPECT_EQ(symbols.describe(0x1000), "acquire");
    EXPECT_EQ(symbols.describe(0x1012), "acquire+0x12");
    EXPECT_EQ(symbols.describe(0x101f), "acquire+0x1f");
    EXPECT_EQ(symbols.describe(0x1020), "release");
    EXPECT_EQ(symbols.describe(0x1028), "0x00001028");
    EXPECT_EQ(symbols.describe(0x0fff), "0x00000fff");
    EXPECT_EQ(Symbols().describe(0x101234), "0x00101234");
}

TEST(Symbols, UseTheOuterSymbolAfterTheEndOfANestedOne) {
    const Symbols symbols({function("outer", 0x1000, 0x40), function("inner", 0x1010, 4)});
    EXPECT_EQ(symbols.describe(0x1012), "inner+0x2");
    EXPECT_EQ(symbols.describe(0x1014), "outer+0x14");
}

TEST(Symbols, PreferAFunctionToALabelAndAGlobalToALocalName) {
    const Symbols symbols({function("zz_local", 0x1000, 4, false), function("acquire", 0x1000, 4),
                           label("zz_label", 0x1000, 0x2000)});
    EXPECT_EQ(symbols.describe(0x1002), "acquire+0x2");
    EXPECT_EQ(symbols.describe(0x1800), "zz_label+0x800");
}

TEST(Symbols, AreFoundByName) {
    const Symbols symbols({function("b", 2, 1), function("a", 1, 1)});
    ASSERT_NE(symbols.find("a"), nullptr);
    EXPECT_EQ(symbols.find("a")->address, 1u);
    EXPECT_EQ(symbols.find("c"), nullptr);
    EXPECT_EQ(symbols.find(""), nullptr);
}

TEST(Symbols, ShowNamesOfCPlusPlusDemangled) {
    const Symbols symbols({function("_ZN5queue3addEii", 0x10, 4), function("_Zebra", 0x20, 4)});
    EXPECT_EQ(symbols.describe(0x12), "queue::add(int, int)+0x2");
    EXPECT_EQ(symbols.describe(0x20), "_Zebra") << "no mangled name";
    EXPECT_EQ(symbols.ranges().at(0).name, "queue::add(int, int)");
    for (const char* name : {"_ZN5queue3addEii", "queue::add(int, int)"}) {
        ASSERT_NE(symbols.find(name), nullptr) << name;
        EXPECT_EQ(symbols.find(name)->address, 0x10u);
    }
}

TEST(Symbols, FindTheGlobalSymbolOfAName) {
    const Symbols symbols({function("lock", 0x10, 4, false), function("lock", 0x20, 4, false),
                           function("lock", 0x18, 4, true)});
    ASSERT_NE(symbols.find("lock"), nullptr);
    EXPECT_EQ(symbols.find("lock")->address, 0x18u);
    EXPECT_FALSE(symbols.ambiguous("lock"));
}

TEST(Symbols, DoNotChooseBetweenLocalSymbolsOfOneName) {
    const Symbols symbols({function("lock", 0x10, 4, false), function("lock", 0x20, 4, false)});
    EXPECT_EQ(symbols.find("lock"), nullptr);
    EXPECT_TRUE(symbols.ambiguous("lock"));
    EXPECT_FALSE(symbols.ambiguous("other"));
}

}  // namespace
}  // namespace symsim
