// SPDX-License-Identifier: MIT
#include "tests/lockstep/exclusions.h"

#include <algorithm>
#include <string>

#include "tests/lockstep/grammar.h"

namespace symsim::test {
namespace {

bool named(const Vector& vector, const char* name) {
    return std::string(vector.pattern->name) == name;
}

bool encoded(const Vector& vector, const char* encoding) {
    return std::string(vector.pattern->encoding) == encoding;
}

}  // namespace

const std::vector<Exclusion>& exclusions() {
    static const std::vector<Exclusion> kAll = {
        {"ac-and-id-of-popf",
         "popf can set AC (bit 18, new on the 486) and ID (bit 21, new on later 486s); neither "
         "exists on a 386",
         [](const Vector& v) { return named(v, "popf"); }, 1u << 18 | 1u << 21},
        {"ret-of-32k-and-more",
         "QEMU takes the constant of ret n for signed (target/i386/translate.c, opcode c2); it is "
         "unsigned (PRM, RET: \"ret n\" adds n bytes to esp)",
         [](const Vector& v) { return encoded(v, "c2 iw") && v.bytes.back() >= 0x80; }, 0},
        {"far-through-register",
         "call and jmp far with a register operand (ff /3, ff /5) are undefined; QEMU reads an "
         "operand it has not loaded and ends the process",
         [](const Vector& v) { return encoded(v, "ff /3x") || encoded(v, "ff /5x"); }, 0},
        {"lock-where-it-is-not-allowed",
         "LOCK on anything but the read-modify-writes the manual lists is undefined; QEMU ignores "
         "it, or ends the process (cmp, inc of a register)",
         [](const Vector& v) { return v.locked && !(v.pattern->lockable && v.in_memory); }, 0},
        {"flags-of-lock-neg",
         "QEMU sets the flags of neg with LOCK by the operand instead of by the result",
         [](const Vector& v) { return v.locked && named(v, "neg"); }, Flags::kArithmetic},
        {"later-instructions",
         "QEMU executes these whatever the processor model: monitor, clac and stac, AMD's virtual "
         "machines, femms, and what the VEX prefixes make of les and lds with a register",
         [](const Vector& v) {
             return encoded(v, "0f 01 /1x") || encoded(v, "0f 01 /3x") || encoded(v, "0f 0e") ||
                    encoded(v, "c4 /rx") || encoded(v, "c5 /rx");
         },
         0},
        {"digits-of-pop",
         "8f with another digit than 0 is undefined; QEMU does not look at the digit",
         [](const Vector& v) { return encoded(v, "8f /1") || encoded(v, "8f /5"); }, 0},
    };
    return kAll;
}

const Exclusion* excluded(const Vector& vector) {
    const auto& all = exclusions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Exclusion& e) {
        return e.flags == 0 && e.applies(vector);
    });
    return found == all.end() ? nullptr : &*found;
}

std::uint32_t excluded_flags(const Vector& vector) {
    std::uint32_t flags = 0;
    for (const Exclusion& e : exclusions())
        if (e.flags != 0 && e.applies(vector)) flags |= e.flags;
    return flags;
}

}  // namespace symsim::test
