// SPDX-License-Identifier: MIT
#include "tests/lockstep/float_exclusions.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>

#include "tests/lockstep/grammar.h"

namespace symsim::test {
namespace {

constexpr unsigned kStackFaultFlag = 0x40;
constexpr std::size_t kControl = 0, kStatus = 4, kTags = 8, kTop = 28, kTopExponent = 36;

bool named(const Vector& vector, const char* name) {
    return std::string(vector.pattern->name) == name;
}
bool encoded(const Vector& vector, std::initializer_list<const char*> encodings) {
    return std::find(encodings.begin(), encodings.end(), std::string(vector.pattern->encoding)) !=
           encodings.end();
}
unsigned word(const Outcome& outcome, std::size_t at) {
    return outcome.float_state[at] | outcome.float_state[at + 1] << 8;
}

unsigned before(const Vector& vector, std::size_t at) {
    return vector.float_state[at] | vector.float_state[at + 1] << 8;
}
bool invalid(const Outcome& outcome) {
    return (word(outcome, kStatus) & 1) != 0;
}

}  // namespace

// QEMU 5 shows neither exceptions nor C1 in the status word; exceptions are compared separately. It
// keeps no instruction and operand pointers and leaves the reserved halves of the dwords 0.
void forgive_float_state(const Vector& vector, const std::uint8_t* simulated,
                         std::uint8_t* theirs) {
    constexpr std::uint8_t kC1 = 2, kBusy = 0x80, kC0C2C3 = 0x45;
    // The manual leaves the condition codes of these instructions undefined, and QEMU clears them.
    const bool clears =
        named(vector, "fincstp") || named(vector, "fdecstp") || named(vector, "fsqrt");
    theirs[kStatus] = simulated[kStatus];
    const auto unknown = static_cast<std::uint8_t>(kC1 | kBusy | (clears ? kC0C2C3 : 0));
    theirs[kStatus + 1] = static_cast<std::uint8_t>((theirs[kStatus + 1] & ~unknown) |
                                                    (simulated[kStatus + 1] & unknown));
    for (const std::size_t half : {2u, 6u, 10u}) std::memcpy(theirs + half, simulated + half, 2);
    std::memcpy(theirs + 12, simulated + 12, 16);
}

// QEMU reports a denormal operand only where it takes it as 0. It does not report an integer that
// does not fit in 16 bits.
void forgive_float_exceptions(const Vector& vector, Outcome& simulated, Outcome& oracle) {
    constexpr std::uint8_t kDenormal = 2, kAll = 0x3f;
    for (Outcome* const outcome : {&simulated, &oracle})
        outcome->float_exceptions &= static_cast<std::uint8_t>(kAll & ~kDenormal);
    if (encoded(vector, {"df /2m", "df /3m"}) && invalid(simulated))
        oracle.float_exceptions = simulated.float_exceptions;
}

const Excuse* excused_float(const Vector& vector, const Outcome& simulated, const Outcome& oracle) {
    static const Excuse kAll[] = {
        {"remainders-and-scale",
         "QEMU 5 computes fprem and fprem1 with the host's double, and fscale by an integer of 32 "
         "bits",
         [](const Vector& v, const Outcome&, const Outcome&) {
             return named(v, "fprem") || named(v, "fprem1") || named(v, "fscale");
         }},
        {"stored-in-an-empty-register",
         "fst and fstp make their register valid; QEMU 5 leaves its tag as it is",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return encoded(v, {"dd d0+r", "dd d8+r"}) && word(s, kTags) != word(o, kTags);
         }},
        {"constants",
         "but 1 and 0 they are rounded as the control word says (387 manual, FLDPI and the "
         "others); QEMU 5 has each as it is to the nearest",
         [](const Vector& v, const Outcome&, const Outcome&) {
             constexpr unsigned kRounding = 0xc00;
             return named(v, "constant") && before(v, kControl) & kRounding;
         }},
        {"signalling-conversions",
         "a signalling NaN becomes a quiet one when it is converted; QEMU 5 keeps it signalling "
         "between the formats of 32, 64 and 80 bits",
         [](const Vector& v, const Outcome& s, const Outcome&) {
             return encoded(v, {"d9 /0m", "dd /0m", "d9 /2m", "dd /2m", "d9 /3m", "dd /3m"}) &&
                    invalid(s);
         }},
        {"exponent-of-the-infinite",
         "QEMU 5 takes the greatest exponent for one of a number in fxtract",
         [](const Vector& v, const Outcome&, const Outcome&) {
             return named(v, "fxtract") && (before(v, kTopExponent) & 0x7fff) == 0x7fff;
         }},
        {"exponent-of-the-denormal",
         "fxtract takes a denormal for the number it is, as tests/cpu/fpu_host_oracle_test.cpp "
         "sees on a host with an x87; QEMU 5 takes its bits as they are",
         [](const Vector& v, const Outcome&, const Outcome&) {
             const auto* const top = &v.float_state[kTop];
             const bool zero = std::all_of(top, top + 8, [](std::uint8_t b) { return b == 0; });
             return named(v, "fxtract") && (before(v, kTopExponent) & 0x7fff) == 0 && !zero;
         }},
        {"decimal-overflow",
         "what has more than 18 digits is stored as the indefinite; QEMU 5 stores its lowest 18",
         [](const Vector& v, const Outcome& s, const Outcome&) {
             return named(v, "fbstp") && invalid(s);
         }},
        {"decimal-zero", "QEMU 5 stores what is rounded to -0 without its sign",
         [](const Vector& v, const Outcome&, const Outcome&) {
             const unsigned exponent = before(v, kTopExponent);
             constexpr unsigned kOfOne = 0x3fff;
             return named(v, "fbstp") && exponent & 0x8000 && (exponent & 0x7fff) < kOfOne;
         }},
        {"stack-fault", "QEMU 5 does not know stack faults: it reads and writes what is there",
         [](const Vector&, const Outcome& s, const Outcome&) {
             return (word(s, kStatus) & kStackFaultFlag) != 0;
         }},
    };
    const auto found = std::find_if(std::begin(kAll), std::end(kAll), [&](const Excuse& e) {
        return e.applies(vector, simulated, oracle);
    });
    return found == std::end(kAll) ? nullptr : &*found;
}

}  // namespace symsim::test
