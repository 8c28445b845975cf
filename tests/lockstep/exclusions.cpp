// SPDX-License-Identifier: MIT
#include "tests/lockstep/exclusions.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <string>

#include "tests/lockstep/grammar.h"
#include "tests/lockstep/world.h"

namespace symsim::test {
namespace {

bool named(const Vector& vector, const char* name) {
    return std::string(vector.pattern->name) == name;
}

bool encoded(const Vector& vector, const char* encoding) {
    return std::string(vector.pattern->encoding) == encoding;
}

template <class Predicate>
bool any_operand(const Vector& vector, Predicate holds) {
    static const ZydisDecoder kDecoder = [] {
        ZydisDecoder decoder;
        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
        return decoder;
    }();
    static const ZydisDecoder kNarrow = [] {
        ZydisDecoder decoder;
        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
        return decoder;
    }();
    const ZydisDecoder& decoder = is_narrow(vector.world) ? kNarrow : kDecoder;
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, vector.bytes.data(), vector.bytes.size(),
                                             &instruction, operands.data())))
        return false;
    return std::any_of(operands.begin(), operands.begin() + instruction.operand_count,
                       [&](const ZydisDecodedOperand& o) {
                           return o.type == ZYDIS_OPERAND_TYPE_MEMORY && holds(o);
                       });
}

bool loads_flags(const Vector& vector) {
    return named(vector, "popf") || named(vector, "iret");
}
bool writes_code(const Vector& vector) {
    if (vector.world == World::real) return false;
    return any_operand(vector, [](const ZydisDecodedOperand& o) {
        return o.mem.segment == ZYDIS_REGISTER_CS && o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    });
}
bool reads_and_writes(const Vector& vector) {
    return any_operand(vector, [](const ZydisDecodedOperand& o) {
        return o.actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
               o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    });
}

// Whether the processor's state is as before the instruction, so that it can be executed again.
bool unchanged(const Vector& vector, const Outcome& outcome) {
    return outcome.regs.r == vector.regs.r && outcome.flags == vector.flags &&
           outcome.eip == vector.offset();
}

constexpr int kUndefined = 6, kNotPresent = 11, kStack = 12, kProtection = 13, kPage = 14;

}  // namespace

const std::vector<Exclusion>& exclusions() {
    static const std::vector<Exclusion> kAll = {
        {"ac-and-id",
         "popf and iret can set AC (bit 18), new on the 486, and ID (bit 21), on the 586",
         [](const Vector& v) { return v.world != World::i686 && loads_flags(v); },
         1u << 18 | 1u << 21},
        {"flags-of-fcomi",
         "fcomi and its kind clear OF, SF and AF, as hosts do (tests/cpu/i686_test.cpp); QEMU 5 "
         "keeps them",
         [](const Vector& v) {
             return std::string(v.pattern->name).find("comi") != std::string::npos;
         },
         Flags::kOverflow | Flags::kSign | Flags::kAuxiliary},
        {"rf-behind-iret",
         "RF ends with the instruction behind iret (PRM 12.3.1.1), here the hlt that ends the "
         "vector; QEMU keeps it up to the next jump",
         [](const Vector& v) { return named(v, "iret"); }, Flags::kResume},
        {"ret-of-32k-and-more",
         "QEMU takes the constant of ret n for signed (target/i386/translate.c, opcode c2); it is "
         "unsigned (PRM, RET: \"ret n\" adds n bytes to esp)",
         [](const Vector& v) {
             return (encoded(v, "c2 iw") || encoded(v, "ca iw")) && v.bytes.back() >= 0x80;
         },
         0},
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
        {"writes-through-cs",
         "a code segment cannot be written but in real mode; QEMU checks neither types nor limits "
         "of the segments "
         "that operands lie in",
         writes_code, 0},
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

const Excuse* excused(const Vector& vector, const Outcome& simulated, const Outcome& oracle) {
    static const Excuse kAll[] = {
        {"reads-before-it-writes",
         "where an operand is read and written, a fault is the write's from the first (PRM 9.8.14: "
         "the error code tells the access that was wanted); QEMU reads it with the rights of a "
         "read and says so",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             constexpr std::uint32_t kWrite = 2;
             return s.vector == kPage && o.vector == kPage && o.cr2 - s.cr2 < 4 &&
                    s.error_code & kWrite && unchanged(v, s) && reads_and_writes(v);
         }},
        {"arpl-that-writes-nothing",
         "arpl writes its operand only if it changes it (PRM, ARPL; test386 on hardware); QEMU "
         "writes it back, which faults or sets the dirty bit",
         [](const Vector& v, const Outcome& s, const Outcome&) {
             return named(v, "arpl") && v.in_memory && !(s.flags & Flags::kZero);
         }},
        {"order-of-cmps", "which operand of cmps is read first is not defined",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "cmps") && s.vector == kPage && o.vector == kPage;
         }},
        {"absent-behind-a-gate",
         "a jump through a call gate to a segment that is not present is #NP (PRM, JMP); QEMU "
         "raises #GP",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "jmp far") && s.vector == kNotPresent && o.vector == kProtection &&
                    s.error_code == o.error_code;
         }},
        {"fault-of-the-next-page",
         "QEMU fetches the instruction behind before it executes one that ends with its page, and "
         "raises the fault of that page too early",
         [](const Vector& v, const Outcome&, const Outcome& o) {
             const std::uint32_t end = v.eip + static_cast<std::uint32_t>(v.bytes.size());
             return o.vector == kPage && o.cr2 == end && end % 0x1000 == 0 && o.eip == v.eip;
         }},
        {"length-of-the-undefined",
         "where the bytes of an undefined instruction end is undefined, too: it may reach a page "
         "that is not there, or not",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return v.pattern->trait == Trait::undefined && v.eip < 0x3000 &&
                    v.eip + layout::kLongest >= 0x3000 && s.vector != o.vector &&
                    (s.vector == kUndefined || s.vector == kPage) &&
                    (o.vector == kUndefined || o.vector == kPage);
         }},
        {"privilege-before-the-rest",
         "QEMU finds that invlpg is not for ring 3 before it has fetched all of it",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "invlpg") && v.user && s.vector == kPage && s.cr2 == 0x3000 &&
                    o.vector == kProtection && o.error_code == 0 && unchanged(v, s);
         }},
        {"operand-of-the-undefined",
         "QEMU reads the operand of an instruction before it finds that there is none",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return v.pattern->trait == Trait::undefined && v.in_memory && s.vector == kUndefined &&
                    o.vector == kPage;
         }},
        {"order-of-enter",
         "of the accesses of enter that fault, and of the stores before them, which come first: "
         "the manual's pseudo-code pushes and reads in turn, the simulated processor reads first",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "enter") && s.vector == kPage && o.vector == kPage && unchanged(v, s);
         }},
        {"final-stack-pointer-of-enter",
         "enter faults where a write at the final stack pointer would (SDM, ENTER); QEMU does not "
         "check",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             const std::uint32_t last = o.regs.r[esp];
             const bool absent = s.vector == kPage && s.cr2 - last < 4;
             const bool beyond = s.vector == kStack && (last & 0xffff) > 0xfffc;
             return named(v, "enter") && (absent || beyond) && unchanged(v, s);
         }},
        {"order-of-pusha", "pusha stores eax first (PRM, PUSHA); QEMU stores edi first",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "pusha") && s.vector == kPage && o.vector == kPage && unchanged(v, s);
         }},
        {"half-of-popa",
         "QEMU has loaded some registers when popa faults, and does not read the place of esp",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "popa") && s.vector == kPage && o.vector == kPage &&
                    s.error_code == o.error_code && unchanged(v, s);
         }},
        {"absent-stack-of-a-return",
         "a return to an outer ring whose stack segment is not present is #SS (SDM, RET and the "
         "operation of IRET; its list of exceptions says #NP); QEMU raises #NP",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return v.pattern->trait == Trait::far_return && s.vector == kStack &&
                    o.vector == kNotPresent && s.error_code == o.error_code && unchanged(v, s);
         }},
        {"conforming-behind-a-call-gate",
         "a conforming segment keeps the privilege level, and cs has it as its RPL (PRM 6.3.4); "
         "QEMU takes the segment's level",
         [](const Vector& v, const Outcome& s, const Outcome& o) {
             return named(v, "call far") && s.vector == o.vector &&
                    (s.selectors[1] ^ o.selectors[1]) < 4 && (s.selectors[1] & 3) == 3;
         }},
    };
    for (const Excuse& excuse : kAll)
        if (excuse.applies(vector, simulated, oracle)) return &excuse;
    return nullptr;
}

// Whether the instruction, whose opcode begins with `opcode`, has 32-bit operands.
bool has_wide_operand(const Vector& vector, std::uint8_t opcode) {
    const auto end = std::find(vector.bytes.begin(), vector.bytes.end(), opcode);
    return (std::find(vector.bytes.begin(), end, 0x66) != end) == is_narrow(vector.world);
}

// LAR masks the descriptor with 00FxFF00, where x is undefined (PRM, LAR).
// ENTER with 32-bit operand size loads all of ebp with the frame's address (PRM, ENTER). With a
// 16-bit stack the SDM (ENTER) and QEMU load only bp.
// POPAD with a 16-bit stack loads the upper half of esp on a 386 (test386.asm); QEMU keeps it.
std::uint32_t undefined_bits(const Vector& vector, unsigned reg) {
    if (named(vector, "lar")) return 0x000f'0000;
    if (vector.world != World::real) return 0;
    const bool enters = named(vector, "enter") && reg == ebp && has_wide_operand(vector, 0xc8);
    const bool pops = named(vector, "popa") && reg == esp && has_wide_operand(vector, 0x61);
    return enters || pops ? 0xffff'0000 : 0;
}

// A 32-bit push of a segment register writes two bytes on a 386 (test386.asm). So it may use one
// page less than QEMU's push.
void forgive_push(const Vector& vector, const Outcome& simulated, const std::uint8_t* ours,
                  std::uint8_t* theirs) {
    const std::uint32_t pushed = vector.regs[esp] - simulated.regs[esp];
    if (!named(vector, "push segment") || (pushed & 0xffff) != 4) return;
    const std::uint32_t mask = vector.world == World::real ? 0xffff : ~0u;
    const std::uint32_t top = vector.base(ss) + (simulated.regs[esp] & mask);
    for (const std::uint32_t at : {top + 2, top + 3})
        if (at < layout::kMemory) theirs[at] = ours[at];
    if (vector.world != World::selectors) return;
    const std::uint32_t entry = layout::kPageTable + (top + 3) / 0x1000 * 4;
    theirs[entry] = ours[entry];
}

// QEMU reads an operand before it detects that the instruction is undefined. It raises privilege
// faults before it has fetched the whole instruction. So the accessed bits that fetches and
// operand reads set in the page table are not compared. Nor are the bits that enter sets when it
// checks a write at the final stack pointer, which QEMU does not check.
void forgive_marks(const Vector& vector, const Outcome& oracle, const std::uint8_t* simulated,
                   std::uint8_t* theirs) {
    if (vector.world != World::kernel && vector.world != World::user &&
        vector.world != World::narrow && vector.world != World::selectors &&
        vector.world != World::i686)
        return;
    constexpr std::uint8_t kAccessed = 0x20, kDirty = 0x40;
    const auto forgive = [&](std::uint32_t page, std::uint8_t bits) {
        const std::uint32_t entry = layout::kPageTable + page / 0x1000 * 4;
        theirs[entry] =
            static_cast<std::uint8_t>((theirs[entry] & ~bits) | (simulated[entry] & bits));
    };
    for (const std::uint32_t page : {0x2000u, 0x3000u}) forgive(page, kAccessed);
    if (named(vector, "enter")) {
        const std::uint32_t last = oracle.regs.r[esp];
        for (const std::uint32_t end : {last, last + 3})
            if (end < layout::kSystem) forgive(end, kAccessed | kDirty);
    }
    if (oracle.vector != kUndefined) return;
    for (const std::uint32_t page : {layout::kData, layout::kData + 0x1000})
        forgive(page, kAccessed);
}

}  // namespace symsim::test
