// SPDX-License-Identifier: MIT
// A test vector: an instruction with the state in which it starts. An Outcome is the state in which
// one processor ends it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/cpu/state/flags.h"
#include "sim/cpu/state/registers.h"
#include "sim/cpu/state/segment.h"

namespace symsim::test {

using Bytes = std::vector<std::uint8_t>;

// The memory layout of the vectors. All addresses are below 64 KB, so that 16-bit addresses and
// offsets reach them too.
namespace layout {
constexpr std::uint32_t kMemory = 8u << 20;
// Where a jump may lead: filled with hlt, except for the instruction under test.
constexpr std::uint32_t kLanding = 0x1000, kLandingEnd = 0x6000;
// The instruction begins in the last 64 bytes before a page border; some cross that border.
constexpr std::uint32_t kCode = 0x2fc0, kCodeRange = 64;
// Operands and stack are near the page border in the middle of the data.
constexpr std::uint32_t kData = 0x8000, kDataSize = 0x2000;
constexpr std::uint32_t kPlace = kData + 0x800, kPlaces = 0x1000;
constexpr std::uint8_t kHlt = 0xf4;
constexpr std::size_t kFloatStateSize = 108;  // as fnsave writes it
constexpr std::uint32_t kLongest = 15;        // bytes of an instruction
// Bytes of an instruction and of the code after it that makes its effect visible.
constexpr std::uint32_t kLongestWithLook = 24;
}  // namespace layout

struct Patch {
    std::uint32_t address;
    std::uint32_t value;
};

struct Pattern;
enum class World : std::uint8_t;

struct Vector {
    std::uint64_t number = 0;
    World world{};
    bool user = false;  // in ring 3
    const Pattern* pattern = nullptr;
    Bytes bytes;
    std::uint32_t eip = layout::kCode;                 // linear
    std::array<std::uint16_t, kSegments> selectors{};  // loaded before it, in real mode
    Registers regs;
    std::uint32_t flags = 0;
    bool locked = false;          // has a LOCK prefix
    bool in_memory = false;       // its modrm operand is in memory
    std::vector<Patch> patches;   // dwords, by linear address, written over the common contents
    std::uint32_t undefined = 0;  // flags Intel leaves undefined here

    // The coprocessor state that frstor loads before it.
    std::array<std::uint8_t, layout::kFloatStateSize> float_state{};

    // Base of a segment at the start; outside real mode all bases are 0.
    std::uint32_t base(Seg segment) const { return std::uint32_t{selectors[segment]} << 4; }
    std::uint32_t offset() const { return eip - base(cs); }
};

// The state a processor leaves after a vector.
struct Outcome {
    static constexpr int kCompleted = -1;

    int vector = kCompleted;  // of the exception
    std::uint32_t error_code = 0;
    std::uint32_t cr2 = 0;  // if it is a page fault
    Registers regs;
    std::array<std::uint16_t, 6> selectors{};  // es cs ss ds fs gs
    std::uint32_t eip = 0;  // of the hlt that ended it; after an exception the one it would save
    std::uint32_t flags = 0;
    std::array<std::uint8_t, layout::kFloatStateSize> float_state{};  // by fnsave
    std::uint8_t float_exceptions = 0;                                // as bits of the status word
    std::string complaint;  // the processor's message, if it has any
};

}  // namespace symsim::test
