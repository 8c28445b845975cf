// SPDX-License-Identifier: MIT
// The table of the 80387's clock counts.
#include "sim/cpu/isa/float_clocks.h"

#include <algorithm>

namespace symsim {
namespace {

// The processor checks BUSY# and ERROR#, for which wait takes 6 clocks (PRM). Then it sends the
// opcode to the coprocessor in a bus cycle of 2 clocks (derived). Each dword of operand takes a bus
// cycle to or from memory and one from or to the coprocessor.
constexpr unsigned kIssue = 6 + 2;
constexpr unsigned kTransferDword = 2 + 2;

// The clocks of an instruction by its operand: none in memory (or a block of memory whose size is
// fixed), or memory of 2, 4, 8 or 10 bytes. 0: no such form.
struct Row {
    ZydisMnemonic mnemonic;
    std::uint16_t registers;
    std::uint16_t word;
    std::uint16_t dword;
    std::uint16_t qword;
    std::uint16_t extended;
};

// Intel, 80387 Programmer's Reference Manual, 1987, recalled and not checked. fadd, fsub, fcom,
// fchs, fabs, fclex, fbld, fbstp and f2xm1 were checked against Quantasm's list of x87 timings,
// c. 1995. Some counts of the manual are ranges, and it does not say what they depend on. The table
// has the middle of such a range, rounded up; the range is in the comment, in the order of the
// columns.
constexpr Row kTable[] = {
    // clang-format off
    //                            reg  m16  m32  m64  m80
    {ZYDIS_MNEMONIC_FLD,           14,   0,  20,  25,  44},
    {ZYDIS_MNEMONIC_FST,           11,   0,  44,  45,   0},
    {ZYDIS_MNEMONIC_FSTP,          12,   0,  44,  45,  53},
    {ZYDIS_MNEMONIC_FSTPNCE,       12,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVB,        11,   0,   0,   0,   0},  // of a 686: as fst
    {ZYDIS_MNEMONIC_FCMOVE,        11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVBE,       11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVU,        11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVNB,       11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVNE,       11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVNBE,      11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCMOVNU,       11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FILD,           0,  63,  49,  62,   0},  // 61-65 45-52 56-67
    {ZYDIS_MNEMONIC_FIST,           0,  89,  86,   0,   0},  // 82-95 79-93
    {ZYDIS_MNEMONIC_FISTP,          0,  89,  86,  89,   0},  // 82-95 79-93 80-97
    {ZYDIS_MNEMONIC_FBLD,           0,   0,   0,   0, 271},  // 266-275
    {ZYDIS_MNEMONIC_FBSTP,          0,   0,   0,   0, 523},  // 512-534
    {ZYDIS_MNEMONIC_FXCH,          18,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLD1,          24,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDZ,          20,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDPI,         40,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDL2E,        40,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDL2T,        40,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDLG2,        41,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDLN2,        41,   0,   0,   0,   0},
    //                            reg  m16  m32  m64  m80
    {ZYDIS_MNEMONIC_FADD,          29,   0,  28,  33,   0},  // 23-34 24-32 29-37
    {ZYDIS_MNEMONIC_FADDP,         29,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FIADD,          0,  78,  65,   0,   0},  // 71-85 57-72
    {ZYDIS_MNEMONIC_FSUB,          29,   0,  28,  33,   0},  // 26-37 24-32 28-36: as fadd
    {ZYDIS_MNEMONIC_FSUBP,         29,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FISUB,          0,  77,  70,   0,   0},  // 71-83 57-82
    {ZYDIS_MNEMONIC_FSUBR,         29,   0,  28,  33,   0},
    {ZYDIS_MNEMONIC_FSUBRP,        29,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FISUBR,         0,  77,  70,   0,   0},
    {ZYDIS_MNEMONIC_FMUL,          43,   0,  31,  45,   0},  // 29-57 27-35 32-57
    {ZYDIS_MNEMONIC_FMULP,         43,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FIMUL,          0,  82,  72,   0,   0},  // 76-87 61-82
    {ZYDIS_MNEMONIC_FDIV,          90,   0,  89,  94,   0},  // 88-91
    {ZYDIS_MNEMONIC_FDIVP,         90,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FIDIV,          0, 138, 124,   0,   0},  // 136-140 120-127
    {ZYDIS_MNEMONIC_FDIVR,         90,   0,  89,  94,   0},
    {ZYDIS_MNEMONIC_FDIVRP,        90,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FIDIVR,         0, 138, 124,   0,   0},
    //                            reg  m16  m32  m64  m80
    {ZYDIS_MNEMONIC_FCOM,          24,   0,  26,  31,   0},
    {ZYDIS_MNEMONIC_FCOMP,         26,   0,  26,  31,   0},
    {ZYDIS_MNEMONIC_FCOMPP,        26,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FUCOM,         24,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FUCOMP,        26,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FUCOMPP,       26,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FICOM,          0,  73,  60,   0,   0},  // 71-75 56-63
    {ZYDIS_MNEMONIC_FICOMP,         0,  73,  60,   0,   0},
    {ZYDIS_MNEMONIC_FCOMI,         24,   0,   0,   0,   0},  // of a 686: as fcom and fucom
    {ZYDIS_MNEMONIC_FCOMIP,        26,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FUCOMI,        24,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FUCOMIP,       26,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FTST,          28,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FXAM,          34,   0,   0,   0,   0},  // 30-38
    //                            reg  m16  m32  m64  m80
    {ZYDIS_MNEMONIC_FABS,          22,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FCHS,          25,   0,   0,   0,   0},  // 24-25
    {ZYDIS_MNEMONIC_FSQRT,        126,   0,   0,   0,   0},  // 122-129
    {ZYDIS_MNEMONIC_FSCALE,        77,   0,   0,   0,   0},  // 67-86
    {ZYDIS_MNEMONIC_FPREM,        115,   0,   0,   0,   0},  // 74-155
    {ZYDIS_MNEMONIC_FPREM1,       140,   0,   0,   0,   0},  // 95-185
    {ZYDIS_MNEMONIC_FRNDINT,       73,   0,   0,   0,   0},  // 66-80
    {ZYDIS_MNEMONIC_FXTRACT,       73,   0,   0,   0,   0},  // 70-76
    {ZYDIS_MNEMONIC_F2XM1,        344,   0,   0,   0,   0},  // 211-476
    {ZYDIS_MNEMONIC_FYL2X,        329,   0,   0,   0,   0},  // 120-538
    {ZYDIS_MNEMONIC_FYL2XP1,      402,   0,   0,   0,   0},  // 257-547
    {ZYDIS_MNEMONIC_FPTAN,        344,   0,   0,   0,   0},  // 191-497
    {ZYDIS_MNEMONIC_FPATAN,       401,   0,   0,   0,   0},  // 314-487
    {ZYDIS_MNEMONIC_FSIN,         447,   0,   0,   0,   0},  // 122-771
    {ZYDIS_MNEMONIC_FCOS,         448,   0,   0,   0,   0},  // 123-772
    {ZYDIS_MNEMONIC_FSINCOS,      502,   0,   0,   0,   0},  // 194-809
    //                            reg  m16  m32  m64  m80
    {ZYDIS_MNEMONIC_FNINIT,        33,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FLDCW,          0,  19,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNSTCW,         0,  15,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNSTSW,        13,  15,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNCLEX,        11,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNSTENV,      104,   0,   0,   0,   0},  // 103-104
    {ZYDIS_MNEMONIC_FLDENV,        71,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNSAVE,       375,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FRSTOR,       308,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FINCSTP,       21,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FDECSTP,       22,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FFREE,         18,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FFREEP,        18,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FNOP,          12,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FENI8087_NOP,  12,   0,   0,   0,   0},  // as fnop
    {ZYDIS_MNEMONIC_FDISI8087_NOP, 12,   0,   0,   0,   0},
    {ZYDIS_MNEMONIC_FSETPM287_NOP, 12,   0,   0,   0,   0},
    // clang-format on
};

std::uint16_t column(const Row& row, unsigned memory_bytes) {
    switch (memory_bytes) {
        case 2:
            return row.word;
        case 4:
            return row.dword;
        case 8:
            return row.qword;
        case 10:
            return row.extended;
        default:
            return row.registers;
    }
}

// Whether the processor waits for the result of the instruction.
bool gives_result(ZydisMnemonic mnemonic, unsigned memory_bytes) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_FNSTSW:
        case ZYDIS_MNEMONIC_FCOMI:
        case ZYDIS_MNEMONIC_FCOMIP:
        case ZYDIS_MNEMONIC_FUCOMI:
        case ZYDIS_MNEMONIC_FUCOMIP:
            return true;
        case ZYDIS_MNEMONIC_FST:
        case ZYDIS_MNEMONIC_FSTP:
        case ZYDIS_MNEMONIC_FIST:
        case ZYDIS_MNEMONIC_FISTP:
        case ZYDIS_MNEMONIC_FBSTP:
        case ZYDIS_MNEMONIC_FNSTCW:
        case ZYDIS_MNEMONIC_FNSTENV:
        case ZYDIS_MNEMONIC_FNSAVE:
            return memory_bytes != 0;
        default:
            return false;
    }
}

}  // namespace

std::optional<FloatClocks> float_clocks(const Shape& shape) {
    const unsigned memory_bytes = has_memory(shape.form) ? shape.size : 0;
    for (const Row& row : kTable) {
        if (row.mnemonic != shape.mnemonic) continue;
        const std::uint16_t all = column(row, memory_bytes);
        if (all == 0) return std::nullopt;
        const unsigned issue = kIssue + kTransferDword * ((memory_bytes + 3) / 4);
        const bool stays = gives_result(shape.mnemonic, memory_bytes);
        const auto part = static_cast<std::uint16_t>(std::min<unsigned>(issue, all));
        return FloatClocks{stays ? all : part, all};
    }
    return std::nullopt;
}

}  // namespace symsim
