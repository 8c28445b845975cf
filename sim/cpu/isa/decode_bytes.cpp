// SPDX-License-Identifier: MIT
// What Zydis does not decode is rewritten to a similar instruction that it decodes. The differences
// are then put into its result.
#include "sim/cpu/isa/shape.h"

#include <algorithm>
#include <array>

namespace symsim {
namespace {

// The bytes of one instruction, to be rewritten.
struct Copy {
    std::array<std::uint8_t, ZYDIS_MAX_INSTRUCTION_LENGTH> bytes;
    std::size_t size;

    Copy(const std::uint8_t* from, std::size_t available)
        : size(std::min(available, bytes.size())) {
        std::copy_n(from, size, bytes.begin());
    }
    std::uint8_t* begin() { return bytes.data(); }
    std::uint8_t* end() { return bytes.data() + size; }
};

ZyanStatus decode(const ZydisDecoder& zydis, const std::uint8_t* bytes, std::size_t available,
                  Decoded& d) {
    return ZydisDecoderDecodeFull(&zydis, bytes, available, &d.instruction, d.operands.data());
}

// The 386 also accepts LOCK on bt with a memory operand (PRM, LOCK). Zydis refuses it, as later
// processors do. bt makes a single access and needs no lock. So the instruction is decoded without
// the prefix, and only its length counts the prefix byte.
bool decode_locked_bt(const ZydisDecoder& zydis, Copy copy, Decoded& d) {
    std::uint8_t* const lock = std::find(copy.begin(), copy.end(), std::uint8_t{0xf0});
    if (lock == copy.end()) return false;
    std::copy(lock + 1, copy.end(), lock);
    if (!ZYAN_SUCCESS(decode(zydis, copy.begin(), copy.size - 1, d))) return false;
    if (d.instruction.mnemonic != ZYDIS_MNEMONIC_BT || !has_memory(form_of(d))) return false;
    ++d.instruction.length;
    return true;
}

bool is_prefix(std::uint8_t byte) {
    constexpr std::array<std::uint8_t, 10> kPrefixes = {0x26, 0x2e, 0x36, 0x3e, 0x64,
                                                        0x65, 0x66, 0x67, 0xf2, 0xf3};
    return std::find(kPrefixes.begin(), kPrefixes.end(), byte) != kPrefixes.end();
}

// mov r32, tr is 0f 24, and mov tr, r32 is 0f 26 (PRM, MOV). With 3 less in the second byte they
// are the moves of the debug register with the same number.
bool decode_test_register(const ZydisDecoder& zydis, Copy copy, Decoded& d) {
    std::uint8_t* const opcode = std::find_if_not(copy.begin(), copy.end(), is_prefix);
    if (copy.end() - opcode < 2 || opcode[0] != 0x0f || (opcode[1] != 0x24 && opcode[1] != 0x26))
        return false;
    opcode[1] = static_cast<std::uint8_t>(opcode[1] - 3);
    if (!ZYAN_SUCCESS(decode(zydis, copy.begin(), copy.size, d))) return false;
    for (unsigned n = 0; n < d.instruction.operand_count_visible; ++n) {
        ZydisRegister& reg = d.operands[n].reg.value;
        if (is_special(reg)) reg = static_cast<ZydisRegister>(ZYDIS_REGISTER_TR0 + number(reg));
    }
    return true;
}

}  // namespace

ZyanStatus decode_bytes(const ZydisDecoder& zydis, const std::uint8_t* bytes, std::size_t available,
                        Decoded& d) {
    const ZyanStatus status = decode(zydis, bytes, available, d);
    const bool decoded =
        status == ZYDIS_STATUS_ILLEGAL_LOCK     ? decode_locked_bt(zydis, {bytes, available}, d)
        : status == ZYDIS_STATUS_DECODING_ERROR ? decode_test_register(zydis, {bytes, available}, d)
                                                : false;
    return decoded ? ZYAN_STATUS_SUCCESS : status;
}

}  // namespace symsim
