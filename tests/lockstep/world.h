// SPDX-License-Identifier: MIT
// The worlds in which vectors are executed: ring, paging, segments. Both processors execute the
// same start-up code to set a world up. Before each vector they execute the same entry code, which
// loads page tables, segments, registers and flags.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/options.h"
#include "tests/lockstep/vector.h"

namespace symsim::test {

enum class World : std::uint8_t {
    flat,       // ring 0, as a guest starts: only registers are prepared
    kernel,     // ring 0 with paging
    user,       // ring 3 with paging
    narrow,     // ring 0, in a 16-bit code segment
    selectors,  // ring 0 or 3; the instruction loads segment registers
    real,       // real mode, with random segments
    floating,   // ring 0, with a coprocessor in any state; a 686 too
    i686        // ring 0 or 3 with paging; the simulated processor is a 686
};

const char* name_of(World world);
// The simulated processor.
constexpr Isa isa_of(World world) {
    return world == World::floating || world == World::i686 ? Isa::i686 : Isa::i386;
}
// Whether instructions have 16-bit operands and addresses if no prefix says otherwise.
constexpr bool is_narrow(World world) {
    return world == World::narrow || world == World::real;
}

namespace layout {
// Descriptor table, task state, page tables, start-up and entry code. They follow the data in
// memory and are compared as well.
constexpr std::uint32_t kSystem = 0x10000, kSystemEnd = 0x18000;
constexpr std::uint32_t kGdt = 0x10000, kGdtEntries = 64;
constexpr std::uint32_t kTask = 0x11000;
constexpr std::uint32_t kConstants = 0x12000;
// The coprocessor's state before and after the vector, in the format of fnsave.
constexpr std::uint32_t kFloatState = kConstants + 0x100, kFloatResult = kConstants + 0x200;
constexpr std::uint32_t kDirectory = 0x13000, kPageTable = 0x14000;
constexpr std::uint32_t kFrame = 0x15800, kKernelStack = 0x15800;  // frame above, stack below
constexpr std::uint32_t kBoot = 0x16000, kKernelEntry = 0x16400, kUserEntry = 0x16800,
                        kRealEntry = 0x16c00;
// From this GDT entry on, each vector sets descriptors of its own.
constexpr std::uint32_t kFreeEntry = 16;
}  // namespace layout

enum Selector : std::uint16_t {
    kKernelCode = 0x08,
    kKernelData = 0x10,
    kUserCode = 0x1b,
    kUserData = 0x23,
    kTaskSelector = 0x28,
    kNarrowCode = 0x30,
    // Used to switch to real mode; only the world `real` has these descriptors.
    kRealCode = 0x38,
    kRealData = 0x40,
    // Real-mode segments of the entry code and of the frame it loads.
    kEntryParagraph = layout::kConstants >> 4,
    kFrameParagraph = layout::kGdt >> 4,
};

// A descriptor as two dwords. `access` is its sixth byte, `flags` the upper half of its seventh
// (PRM, figure 5-3).
struct Descriptor {
    std::uint32_t low, high;
};
Descriptor descriptor(std::uint32_t base, std::uint32_t limit, unsigned access, unsigned flags);
Descriptor gate(std::uint16_t selector, std::uint32_t offset, unsigned access, unsigned parameters);

// Writes descriptor tables, task state, page tables, start-up and entry code into memory.
void place_system(World world, std::uint8_t* memory);

// The state in which a processor starts to execute a vector.
struct Start {
    std::uint32_t eip;
    std::uint32_t flags;
    Registers regs;
};
// Writes the frame that the entry code loads. Returns how to start the entry code.
Start enter(World world, const Vector& vector, std::uint8_t* memory);

}  // namespace symsim::test
