// SPDX-License-Identifier: MIT
// What a program asks the 586 about itself: cpuid and rdtsc.
#include <cstring>

#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// A C library that knows the vendor would choose functions for its processors, and ask for caches
// in leaves that are not here. One that does not takes the plain functions of an i686.
constexpr char kVendor[] = "symsim model";
constexpr std::uint32_t kLastLeaf = 1;

std::uint32_t vendor_part(unsigned at) {
    std::uint32_t part;
    std::memcpy(&part, kVendor + at, sizeof part);
    return part;
}

// Leaf 1: eax has family and model, edx the features. There is no more.
std::uint32_t features(Isa isa) {
    constexpr std::uint32_t kFpu = 1u << 0, kPse = 1u << 3, kTsc = 1u << 4, kCx8 = 1u << 8,
                            kCmov = 1u << 15;
    return kFpu | kPse | kTsc | kCx8 | (isa >= Isa::i686 ? kCmov : 0);
}

// A leaf beyond the last one has the contents of the last (SDM, CPUID).
bool cpuid(Processor& cpu, const Op&) {
    Registers& regs = cpu.regs();
    if (regs[eax] == 0) {
        regs[eax] = kLastLeaf;
        regs[ebx] = vendor_part(0);
        regs[edx] = vendor_part(4);
        regs[ecx] = vendor_part(8);
    } else {
        regs[eax] = cpu.isa() >= Isa::i686 ? 0x610 : 0x510;
        regs[ebx] = regs[ecx] = 0;
        regs[edx] = features(cpu.isa());
    }
    return true;
}

// The processor's clocks since the start of the run. A loop that reads them never repeats with the
// same state.
bool rdtsc(Processor& cpu, const Op&) {
    if (cpu.system().cr4 & cr4::kTimeStampDisable && !cpu.require_ring_0()) return false;
    const auto clocks = static_cast<std::uint64_t>(cpu.context().time / cpu.clock().period());
    cpu.regs()[eax] = static_cast<std::uint32_t>(clocks);
    cpu.regs()[edx] = static_cast<std::uint32_t>(clocks >> 32);
    cpu.changed();
    return true;
}

}  // namespace

Routine find_identify(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_CPUID, cpuid},
        {ZYDIS_MNEMONIC_RDTSC, rdtsc},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
