// SPDX-License-Identifier: MIT
// Flags by themselves: clc stc cmc cld std cli sti lahf sahf.
#include "sim/cpu/operands.h"

namespace symsim {
namespace {

bool clc(Processor& cpu, const Op&) {
    cpu.flags().set_cf(false);
    return true;
}
bool stc(Processor& cpu, const Op&) {
    cpu.flags().set_cf(true);
    return true;
}
bool cmc(Processor& cpu, const Op&) {
    cpu.flags().set_cf(!cpu.flags().cf());
    return true;
}

template <std::uint32_t Bit, bool On>
bool set_system(Processor& cpu, const Op&) {
    std::uint32_t& system = cpu.flags().system;
    system = On ? system | Bit : system & ~Bit;
    return true;
}

// ah holds the flags' low byte: SF ZF - AF - PF - CF.
constexpr std::uint32_t kInAh = Flags::kArithmetic & 0xff;

bool lahf(Processor& cpu, const Op&) {
    cpu.regs().set<1>(4, cpu.flags().value());
    return true;
}
bool sahf(Processor& cpu, const Op&) {
    cpu.flags().set(kInAh, cpu.regs().get<1>(4));
    return true;
}

}  // namespace

Handler find_flag(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_CLC:
            return clc;
        case ZYDIS_MNEMONIC_STC:
            return stc;
        case ZYDIS_MNEMONIC_CMC:
            return cmc;
        case ZYDIS_MNEMONIC_CLD:
            return set_system<Flags::kDirection, false>;
        case ZYDIS_MNEMONIC_STD:
            return set_system<Flags::kDirection, true>;
        case ZYDIS_MNEMONIC_CLI:
            return set_system<Flags::kInterrupt, false>;
        case ZYDIS_MNEMONIC_STI:
            return set_system<Flags::kInterrupt, true>;
        case ZYDIS_MNEMONIC_LAHF:
            return lahf;
        case ZYDIS_MNEMONIC_SAHF:
            return sahf;
        default:
            return nullptr;
    }
}

}  // namespace symsim
