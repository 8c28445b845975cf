// SPDX-License-Identifier: MIT
#include "sim/base/json.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

TEST(Json, WritesValuesInOrderAndOtherBytesThanUtf8AsReplacements) {
    const Json json = Json::Object{{"z", 1},
                                   {"a", Json::Array{true, nullptr, 0.5, "line\n\xff"}},
                                   {"none", std::optional<int>()},
                                   {"empty", Json::Object()}};
    EXPECT_EQ(json.text(),
              "{\"z\":1,\"a\":[true,null,0.5,\"line\\n\xef\xbf\xbd\"],\"none\":null,\"empty\":{}}");
    EXPECT_EQ(Json(Json::Object{{"a", Json::Array{1u}}}).text(2), "{\n  \"a\": [\n    1\n  ]\n}");
}

TEST(Json, APathAddsTheObjectsThatAreMissing) {
    Json json;
    json["a.b"] = 1;
    json["c"] = 2;
    json["a.d.e"] = 3;
    json["c"] = 4;
    EXPECT_EQ(json.text(), R"({"a":{"b":1,"d":{"e":3}},"c":4})");
}

TEST(Json, ReadsWhatItWrites) {
    const std::string text =
        R"({"a":[1,-2,0.25,"x",false,null,18446744073709551615],"b":{"c":{}}})";
    ASSERT_TRUE(parse_json(text));
    EXPECT_EQ(parse_json(text)->text(), text);
    EXPECT_FALSE(parse_json("b a"));
    EXPECT_FALSE(parse_json("[1"));
}

}  // namespace
}  // namespace symsim
