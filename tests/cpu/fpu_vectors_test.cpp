// SPDX-License-Identifier: MIT
// Instructions against results that come from no host: fpu_vectors/make.py computes them. The
// register, the exceptions and the condition codes must be the same to the last bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tests/cpu/fpu_image.h"

namespace symsim::test {
namespace {

const std::map<std::string, FpuOpcode> kOpcodes = {
    {"fadd", {0xd8, 0xc1}},    {"fsub", {0xd8, 0xe1}},   {"fmul", {0xd8, 0xc9}},
    {"fdiv", {0xd8, 0xf1}},    {"fsqrt", {0xd9, 0xfa}},  {"frndint", {0xd9, 0xfc}},
    {"f2xm1", {0xd9, 0xf0}},   {"fyl2x", {0xd9, 0xf1}},  {"fptan", {0xd9, 0xf2}},
    {"fpatan", {0xd9, 0xf3}},  {"fprem1", {0xd9, 0xf5}}, {"fprem", {0xd9, 0xf8}},
    {"fyl2xp1", {0xd9, 0xf9}}, {"fscale", {0xd9, 0xfd}}, {"fsin", {0xd9, 0xfe}},
    {"fcos", {0xd9, 0xff}},
};

struct Vector {
    std::string name;
    unsigned control = 0;
    Float80 st0, st1, result;
    unsigned status = 0;
};

std::istream& operator>>(std::istream& in, Float80& f) {
    char colon = 0;
    return in >> f.sign_exponent >> colon >> f.significand;
}

std::vector<Vector> vectors() {
    std::ifstream file(SOURCE_FOLDER "/tests/cpu/fpu_vectors/vectors.txt");
    for (std::string comment; file.peek() == '#';) std::getline(file, comment);
    std::vector<Vector> all;
    file >> std::hex;
    for (Vector v; file >> v.name >> v.control >> v.st0 >> v.st1 >> v.result >> v.status;)
        all.push_back(v);
    EXPECT_TRUE(file.eof()) << "after " << all.size() << " vectors";
    return all;
}

std::string show(Float80 f) {
    return fmt::format("{:04x}:{:016x}", f.sign_exponent, f.significand);
}

constexpr unsigned kEmpty = 0xfff0;   // the tag word when only ST(0) and ST(1) are in use, top is 0
constexpr unsigned kStatus = 0x477f;  // exceptions, stack fault, condition codes

TEST(FpuVectors, ResultsAreCorrectlyRounded) {
    SimulatedFpu fpu;
    std::map<std::string, unsigned> count;
    for (const Vector& v : vectors()) {
        FpuImage image;
        image.set_word(0, v.control);
        image.set_word(8, kEmpty);
        image.set_st(0, v.st0);
        image.set_st(1, v.st1);
        fpu.run(kOpcodes.at(v.name), image);
        ASSERT_EQ(fpu.complaint(), "") << v.name;
        const bool pushed = image.top() == 7;  // by fptan: 1, or the same NaN again
        const Float80 got = image.st(pushed ? 1 : 0);
        const bool right_top = !pushed || image.st(0) == (got.is_nan() ? got : Float80::one());
        EXPECT_TRUE(right_top && got == v.result && (image.status() & kStatus) == v.status)
            << fmt::format("{} {:04x} of {}, {}: {} {:04x}, not {} {:04x}", v.name, v.control,
                           show(v.st0), show(v.st1), show(got), image.status() & kStatus,
                           show(v.result), v.status);
        ++count[v.name];
    }
    for (const auto& [name, opcode] : kOpcodes) EXPECT_GE(count[name], 100u) << name;
}

}  // namespace
}  // namespace symsim::test
