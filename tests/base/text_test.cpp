// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace symsim {
namespace {

using Json = nlohmann::json;

// The oracle: the JSON library, whose texts are UTF-8 too.
std::string by_json(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

TEST(EditDistance, CountsASwapOfNeighboursAsOne) {
    EXPECT_EQ(edit_distance("lock", "lock"), 0u);
    EXPECT_EQ(edit_distance("lokc", "lock"), 1u);
    EXPECT_EQ(edit_distance("olkc", "lock"), 2u);
    EXPECT_EQ(edit_distance("", "lock"), 4u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Utf8, TextThatIsUtf8StaysAsItIs) {
    for (const std::string& text : {std::string(), std::string("main"), std::string("a\0b", 3),
                                    std::string("z\xc3\xa4hler"), std::string("\xe2\x82\xac"),
                                    std::string("\xf0\x9f\x94\x92"), std::string("\xef\xbf\xbd")})
        EXPECT_EQ(utf8(text), text);
}

// The examples of Unicode's tables 3-8 to 3-11; "?" stands for U+FFFD.
TEST(Utf8, BytesThatAreNoneAreReplacedAsUnicodeRecommends) {
    const std::pair<const char*, const char*> examples[] = {
        {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", "????????A"},
        {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", "????????A"},
        {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", "?????A??B"},
        {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "????A"},
    };
    for (const auto& [text, expected] : examples) {
        std::string wanted;
        for (const char* c = expected; *c; ++c)
            wanted += *c == '?' ? std::string("\xef\xbf\xbd") : std::string(1, *c);
        EXPECT_EQ(utf8(text), wanted) << expected;
    }
}

TEST(Utf8, AgreesWithTheJsonFilesOnRandomBytes) {
    std::mt19937 random(49);
    for (int n = 0; n < 20'000; ++n) {
        std::string text;
        for (unsigned bytes = random() % 8; bytes > 0; --bytes)
            text += static_cast<char>(random() % 4 == 0 ? random() % 128 : 128 + random() % 128);
        ASSERT_EQ(utf8(text), by_json(text)) << Json::binary({text.begin(), text.end()}).dump();
    }
}

}  // namespace
}  // namespace symsim
