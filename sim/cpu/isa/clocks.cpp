// SPDX-License-Identifier: MIT
// The table of clock counts, and the counts that are not in a table.
#include "sim/cpu/isa/clocks.h"

#include <algorithm>

#include "sim/cpu/isa/float_clocks.h"

namespace symsim {
namespace {

// The clocks of an instruction by the places of its operands. 0: no such form.
struct Row {
    ZydisMnemonic mnemonic;
    std::uint8_t registers;  // no operand in memory
    std::uint8_t load;       // second operand in memory
    std::uint8_t memory;     // first operand in memory, the second (if any) in a register
    std::uint8_t constant;   // first operand in memory, the second an immediate
};

// Intel, 80386 Programmer's Reference Manual, 1986, chapter 17. A row with another source says so.
constexpr Row kTable[] = {
    // clang-format off
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_MOV,              2,   4,   2,   2},
    {ZYDIS_MNEMONIC_MOVZX,            3,   6,   0,   0},
    {ZYDIS_MNEMONIC_MOVSX,            3,   6,   0,   0},
    {ZYDIS_MNEMONIC_LEA,              0,   2,   0,   0},
    {ZYDIS_MNEMONIC_XCHG,             3,   5,   5,   0},
    {ZYDIS_MNEMONIC_XLAT,             5,   0,   0,   0},
    {ZYDIS_MNEMONIC_CBW,              3,   0,   0,   0},
    {ZYDIS_MNEMONIC_CWDE,             3,   0,   0,   0},
    {ZYDIS_MNEMONIC_CWD,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_CDQ,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_NOP,              3,   3,   3,   0},  // with an operand: chosen as without
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_ADD,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_ADC,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_SUB,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_SBB,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_AND,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_OR,               2,   6,   7,   7},
    {ZYDIS_MNEMONIC_XOR,              2,   6,   7,   7},
    {ZYDIS_MNEMONIC_CMP,              2,   6,   5,   5},
    {ZYDIS_MNEMONIC_TEST,             2,   5,   5,   5},
    {ZYDIS_MNEMONIC_INC,              2,   0,   6,   0},  // blank in the manual, taken from dec
    {ZYDIS_MNEMONIC_DEC,              2,   0,   6,   0},
    {ZYDIS_MNEMONIC_NEG,              2,   0,   6,   0},
    {ZYDIS_MNEMONIC_NOT,              2,   0,   6,   0},
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_SHL,              3,   0,   7,   7},
    {ZYDIS_MNEMONIC_SHR,              3,   0,   7,   7},
    {ZYDIS_MNEMONIC_SAR,              3,   0,   7,   7},
    {ZYDIS_MNEMONIC_ROL,              3,   0,   7,   7},
    {ZYDIS_MNEMONIC_ROR,              3,   0,   7,   7},
    {ZYDIS_MNEMONIC_RCL,              9,   0,  10,  10},
    {ZYDIS_MNEMONIC_RCR,              9,   0,  10,  10},
    {ZYDIS_MNEMONIC_SHLD,             3,   0,   7,   7},
    {ZYDIS_MNEMONIC_SHRD,             3,   0,   7,   7},
    {ZYDIS_MNEMONIC_MUL,              6,   0,   9,   0},  // plus multiplier_clocks()
    {ZYDIS_MNEMONIC_IMUL,             6,   9,   9,   0},  // plus multiplier_clocks()
    {ZYDIS_MNEMONIC_BT,               3,   0,  12,   6},
    {ZYDIS_MNEMONIC_BTS,              6,   0,  13,   8},
    {ZYDIS_MNEMONIC_BTR,              6,   0,  13,   8},
    {ZYDIS_MNEMONIC_BTC,              6,   0,  13,   8},
    {ZYDIS_MNEMONIC_BSF,             10,  10,   0,   0},  // plus scan_clocks()
    {ZYDIS_MNEMONIC_BSR,             10,  10,   0,   0},  // plus scan_clocks()
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_JMP,              7,   0,  10,   0},
    {ZYDIS_MNEMONIC_CALL,             7,   0,  10,   0},
    {ZYDIS_MNEMONIC_RET,             10,   0,   0,   0},
    {ZYDIS_MNEMONIC_LOOP,            11,   0,   0,   0},
    {ZYDIS_MNEMONIC_LOOPE,           11,   0,   0,   0},
    {ZYDIS_MNEMONIC_LOOPNE,          11,   0,   0,   0},
    {ZYDIS_MNEMONIC_JCXZ,             5,   0,   0,   0},
    {ZYDIS_MNEMONIC_JECXZ,            5,   0,   0,   0},
    {ZYDIS_MNEMONIC_BOUND,            0,  10,   0,   0},
    {ZYDIS_MNEMONIC_INTO,             3,   0,   0,   0},  // without an overflow
    {ZYDIS_MNEMONIC_FWAIT,            6,   0,   0,   0},  // at least
    {ZYDIS_MNEMONIC_HLT,              5,   0,   0,   0},
    {ZYDIS_MNEMONIC_PUSH,             2,   0,   5,   0},
    {ZYDIS_MNEMONIC_POP,              4,   0,   5,   0},
    {ZYDIS_MNEMONIC_PUSHA,           18,   0,   0,   0},
    {ZYDIS_MNEMONIC_PUSHAD,          18,   0,   0,   0},
    {ZYDIS_MNEMONIC_POPA,            24,   0,   0,   0},
    {ZYDIS_MNEMONIC_POPAD,           24,   0,   0,   0},
    {ZYDIS_MNEMONIC_PUSHF,            4,   0,   0,   0},
    {ZYDIS_MNEMONIC_PUSHFD,           4,   0,   0,   0},
    {ZYDIS_MNEMONIC_POPF,             5,   0,   0,   0},
    {ZYDIS_MNEMONIC_POPFD,            5,   0,   0,   0},
    {ZYDIS_MNEMONIC_LEAVE,            4,   0,   0,   0},
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_MOVSB,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_MOVSW,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_MOVSD,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_STOSB,            4,   0,   0,   0},
    {ZYDIS_MNEMONIC_STOSW,            4,   0,   0,   0},
    {ZYDIS_MNEMONIC_STOSD,            4,   0,   0,   0},
    {ZYDIS_MNEMONIC_LODSB,            5,   0,   0,   0},
    {ZYDIS_MNEMONIC_LODSW,            5,   0,   0,   0},
    {ZYDIS_MNEMONIC_LODSD,            5,   0,   0,   0},
    {ZYDIS_MNEMONIC_SCASB,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_SCASW,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_SCASD,            7,   0,   0,   0},
    {ZYDIS_MNEMONIC_CMPSB,           10,   0,   0,   0},
    {ZYDIS_MNEMONIC_CMPSW,           10,   0,   0,   0},
    {ZYDIS_MNEMONIC_CMPSD,           10,   0,   0,   0},
    {ZYDIS_MNEMONIC_AAA,              4,   0,   0,   0},
    {ZYDIS_MNEMONIC_AAS,              4,   0,   0,   0},
    {ZYDIS_MNEMONIC_AAD,             19,   0,   0,   0},
    {ZYDIS_MNEMONIC_AAM,             17,   0,   0,   0},
    {ZYDIS_MNEMONIC_DAA,              4,   0,   0,   0},
    {ZYDIS_MNEMONIC_DAS,              4,   0,   0,   0},
    {ZYDIS_MNEMONIC_CLC,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_STC,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_CMC,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_CLD,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_STD,              2,   0,   0,   0},
    {ZYDIS_MNEMONIC_CLI,              3,   0,   0,   0},
    {ZYDIS_MNEMONIC_STI,              3,   0,   0,   0},
    //                              reg  r,m  m,r  m,i
    {ZYDIS_MNEMONIC_LDS,              0,   7,   0,   0},  // more in protected mode
    {ZYDIS_MNEMONIC_LES,              0,   7,   0,   0},
    {ZYDIS_MNEMONIC_LFS,              0,   7,   0,   0},
    {ZYDIS_MNEMONIC_LGS,              0,   7,   0,   0},
    {ZYDIS_MNEMONIC_LSS,              0,   7,   0,   0},
    {ZYDIS_MNEMONIC_LGDT,             0,   0,  11,   0},
    {ZYDIS_MNEMONIC_LIDT,             0,   0,  11,   0},
    {ZYDIS_MNEMONIC_SGDT,             0,   0,   9,   0},
    {ZYDIS_MNEMONIC_SIDT,             0,   0,   9,   0},
    {ZYDIS_MNEMONIC_LLDT,            20,   0,  24,   0},  // 24 is from the Norton Guide to x86
    {ZYDIS_MNEMONIC_SLDT,             2,   0,   2,   0},
    {ZYDIS_MNEMONIC_LTR,             23,   0,  27,   0},
    {ZYDIS_MNEMONIC_STR,              2,   0,   2,   0},  // HelpPC; the manual repeats ltr's line
    {ZYDIS_MNEMONIC_LMSW,            10,   0,  13,   0},
    {ZYDIS_MNEMONIC_SMSW,             2,   0,   2,   0},  // more in real mode
    {ZYDIS_MNEMONIC_LAR,             15,  16,   0,   0},
    {ZYDIS_MNEMONIC_LSL,             20,  21,   0,   0},  // more if the limit counts pages
    {ZYDIS_MNEMONIC_VERR,            10,   0,  11,   0},
    {ZYDIS_MNEMONIC_VERW,            15,   0,  16,   0},
    {ZYDIS_MNEMONIC_ARPL,            20,   0,  21,   0},
    {ZYDIS_MNEMONIC_CLTS,             5,   0,   0,   0},
    {ZYDIS_MNEMONIC_INSB,             9,   0,   0,   0},
    {ZYDIS_MNEMONIC_INSW,             9,   0,   0,   0},
    {ZYDIS_MNEMONIC_INSD,             9,   0,   0,   0},
    {ZYDIS_MNEMONIC_OUTSB,            8,   0,   0,   0},
    {ZYDIS_MNEMONIC_OUTSW,            8,   0,   0,   0},
    {ZYDIS_MNEMONIC_OUTSD,            8,   0,   0,   0},
    // Instructions of the 486. cmpxchg: HelpPC 2.10 (D. Jurgens, 1991), which adds 3 clocks if the
    // comparison with memory fails; they are left out here. bswap: the Norton Guide to the x86.
    // The others: the 486's manual, 1990, from memory and not checked.
    {ZYDIS_MNEMONIC_CMPXCHG,          6,   0,   7,   0},
    {ZYDIS_MNEMONIC_XADD,             3,   0,   4,   0},
    {ZYDIS_MNEMONIC_BSWAP,            1,   0,   0,   0},
    {ZYDIS_MNEMONIC_INVLPG,           0,   0,  12,   0},
    {ZYDIS_MNEMONIC_INVD,             4,   0,   0,   0},
    {ZYDIS_MNEMONIC_WBINVD,           5,   0,   0,   0},
    // Instructions of the Pentium. cmpxchg8b and rdtsc, there 6 to 7: Intel Pentium CPU Instruction
    // Set Reference (jsimlo.sk/docs/cpu). cpuid: Intel's manual, 1993, from memory, not checked.
    {ZYDIS_MNEMONIC_CMPXCHG8B,        0,   0,  10,   0},
    {ZYDIS_MNEMONIC_CPUID,           14,   0,   0,   0},
    {ZYDIS_MNEMONIC_RDTSC,            6,   0,   0,   0},
    {ZYDIS_MNEMONIC_LAHF,             2,   0,   0,   0},
    {ZYDIS_MNEMONIC_SAHF,             3,   0,   0,   0},
    {ZYDIS_MNEMONIC_SALC,             3,   0,   0,   0},  // not in the manual; as sahf
    // clang-format on
};

// Division takes one step for each bit of the quotient. A memory operand takes 3 clocks more; for
// idiv the 3 clocks are from the 386 DX data sheet.
std::uint8_t division_clocks(const Shape& shape) {
    const std::uint8_t memory = shape.form == Form::m ? 3 : 0;
    if (shape.mnemonic == ZYDIS_MNEMONIC_DIV)
        return static_cast<std::uint8_t>((shape.size == 1   ? 14
                                          : shape.size == 2 ? 22
                                                            : 38) +
                                         memory);
    return static_cast<std::uint8_t>((shape.size == 1 ? 19 : shape.size == 2 ? 27 : 43) + memory);
}

std::uint8_t enter_clocks(unsigned level) {
    if (level == 0) return 10;
    if (level == 1) return 12;
    return static_cast<std::uint8_t>(15 + 4 * (level - 1));
}

// The clocks of a jcc that is not taken, of a setcc, or of a cmovcc: chosen as those of mov.
std::uint8_t conditional_clocks(Form form) {
    if (form == Form::i) return 3;
    if (form == Form::rr || form == Form::rm) return form == Form::rr ? 2 : 4;
    return form == Form::m ? 5 : 4;
}

// Whether the handler adds the clocks, because they depend on the mode and on the path taken.
bool counted_by_handler(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_INT:
        case ZYDIS_MNEMONIC_INT3:
        case ZYDIS_MNEMONIC_IRET:
        case ZYDIS_MNEMONIC_IRETD:
            return true;
        default:
            return shape.far;
    }
}

// mov to and from special registers. The handler adds the clocks that depend on the register
// number.
std::uint8_t special_clocks(const Shape& shape) {
    switch (shape.special) {
        case SpecialRegister::control:
            return shape.form == Form::rc ? 6 : 4;
        case SpecialRegister::debug:
            return shape.form == Form::rc ? 14 : 16;
        case SpecialRegister::test:
            return 12;
    }
    return 0;
}

// in and out in protected mode with CPL not above IOPL.
std::optional<std::uint8_t> port_clocks(const Shape& shape) {
    if (shape.mnemonic == ZYDIS_MNEMONIC_IN) return shape.immediate ? 6 : 7;
    if (shape.mnemonic == ZYDIS_MNEMONIC_OUT) return shape.form == Form::ir ? 4 : 5;
    return std::nullopt;
}

std::optional<std::uint8_t> column(const Row& row, Form form) {
    std::uint8_t clocks = row.registers;
    if (form == Form::rm) clocks = row.load;
    if (form == Form::m || form == Form::mr || form == Form::ms) clocks = row.memory;
    if (form == Form::mi) clocks = row.constant;
    if (clocks == 0) return std::nullopt;
    return clocks;
}

}  // namespace

std::optional<std::uint8_t> static_clocks(const Shape& shape, unsigned level) {
    if (shape.condition != kNoCondition) return conditional_clocks(shape.form);
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_DIV:
        case ZYDIS_MNEMONIC_IDIV:
            return division_clocks(shape);
        case ZYDIS_MNEMONIC_ENTER:
            return enter_clocks(level);
        default:
            break;
    }
    if (counted_by_handler(shape)) return has_memory(shape.form) ? kFarPointerClocks : 0;
    if (const auto clocks = port_clocks(shape)) return clocks;
    if (shape.form == Form::rc || shape.form == Form::cr) return special_clocks(shape);
    if (shape.form == Form::s) return shape.mnemonic == ZYDIS_MNEMONIC_PUSH ? 2 : 7;
    if (shape.form == Form::sm) return 5;
    if (const auto timing = float_clocks(shape))
        return static_cast<std::uint8_t>(std::min<unsigned>(timing->processor, kMostStaticClocks));
    if (shape.repeat != Repeat::none)
        return static_cast<std::uint8_t>(
            std::min<unsigned>(kRepeatClocks, element_clocks(shape.mnemonic)));
    for (const Row& row : kTable) {
        if (row.mnemonic == shape.mnemonic) return column(row, shape.form);
    }
    return std::nullopt;
}

unsigned multiplier_clocks(std::uint32_t multiplier) {
    return multiplier <= 8 ? 3 : 32 - static_cast<unsigned>(__builtin_clz(multiplier - 1));
}

unsigned scan_clocks(unsigned passed) {
    return 3 * passed;
}

RepeatClocks repeat_clocks(const Op& op) {
    const unsigned element = op.extra - op.clocks;
    return {kRepeatClocks - op.clocks, element, element + kRepeatClocks};
}

// rep lods is not in the list of the manual of 1986, nor in HelpPC 2.10, whose lods takes 5 as
// here. Its 6 is from memory of later printings.
std::uint8_t element_clocks(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_MOVSB:
        case ZYDIS_MNEMONIC_MOVSW:
        case ZYDIS_MNEMONIC_MOVSD:
            return 4;
        case ZYDIS_MNEMONIC_STOSB:
        case ZYDIS_MNEMONIC_STOSW:
        case ZYDIS_MNEMONIC_STOSD:
            return 5;
        case ZYDIS_MNEMONIC_OUTSB:
        case ZYDIS_MNEMONIC_OUTSW:
        case ZYDIS_MNEMONIC_OUTSD:
            return 5;
        case ZYDIS_MNEMONIC_LODSB:
        case ZYDIS_MNEMONIC_LODSW:
        case ZYDIS_MNEMONIC_LODSD:
        case ZYDIS_MNEMONIC_INSB:
        case ZYDIS_MNEMONIC_INSW:
        case ZYDIS_MNEMONIC_INSD:
            return 6;
        case ZYDIS_MNEMONIC_SCASB:
        case ZYDIS_MNEMONIC_SCASW:
        case ZYDIS_MNEMONIC_SCASD:
            return 8;
        case ZYDIS_MNEMONIC_CMPSB:
        case ZYDIS_MNEMONIC_CMPSW:
        case ZYDIS_MNEMONIC_CMPSD:
            return 9;
        default:
            return 0;
    }
}

}  // namespace symsim
