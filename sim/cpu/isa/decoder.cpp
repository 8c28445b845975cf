// SPDX-License-Identifier: MIT
// The steps from Zydis's result to an Op: operands, clocks, handlers, and complaints about bytes
// that are not an instruction of this processor.
#include "sim/cpu/isa/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/failure.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/isa/delay_loop.h"
#include "sim/cpu/isa/float_clocks.h"
#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/isa/instruction_sets.h"
#include "sim/cpu/isa/shape.h"

namespace symsim {
namespace {

// The manual's m: the number of components. The whole displacement is one component, the whole
// immediate is one, every other byte is one.
std::uint8_t components_of(const ZydisDecodedInstruction& i) {
    unsigned bytes = i.length;
    unsigned parts = 0;
    for (const unsigned bits :
         {unsigned{i.raw.disp.size}, unsigned{i.raw.imm[0].size}, unsigned{i.raw.imm[1].size}}) {
        bytes -= bits / 8;
        parts += bits != 0;
    }
    return static_cast<std::uint8_t>(bytes + parts);
}

// The number of dwords of a memory operand. Only operands of the coprocessor and of cmpxchg8b count
// as more than one.
std::uint8_t dwords_of(const ZydisDecodedInstruction& i, const ZydisDecodedOperand& memory) {
    const bool is_long =
        i.meta.isa_set == ZYDIS_ISA_SET_X87 || i.mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B;
    return is_long ? static_cast<std::uint8_t>((memory.size + 31) / 32) : std::uint8_t{1};
}

std::uint8_t stores_of(const Decoded& d, unsigned level) {
    switch (d.instruction.mnemonic) {
        case ZYDIS_MNEMONIC_PUSHA:
        case ZYDIS_MNEMONIC_PUSHAD:
            return 8;
        // ebp, the frame pointers of the enclosing procedures, and the new one.
        case ZYDIS_MNEMONIC_ENTER:
            return static_cast<std::uint8_t>(level == 0 ? 1 : level + 1);
        default:
            break;
    }
    for (unsigned n = 0; n < d.instruction.operand_count; ++n) {
        const ZydisDecodedOperand& o = d.operand(n);
        if (o.type == ZYDIS_OPERAND_TYPE_MEMORY && o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
            return dwords_of(d.instruction, o);
    }
    return 0;
}

void set_memory(const ZydisDecodedInstruction& i, const ZydisDecodedOperandMem& mem, Op& op) {
    op.displacement = static_cast<std::uint32_t>(mem.disp.value);
    op.segment = static_cast<Seg>(number(mem.segment));
    if (mem.base != ZYDIS_REGISTER_NONE) {
        op.base = number(mem.base);
        op.base_mask = -1;
    }
    if (mem.index != ZYDIS_REGISTER_NONE) {
        op.index = number(mem.index);
        op.index_mask = -1;
    } else if (i.raw.sib.scale != 0) {
        // Without an index, the 386 applies the scale to the base (test386.asm, tried on a 386SX).
        std::swap(op.base, op.index);
        std::swap(op.base_mask, op.index_mask);
    }
    op.scale_shift = i.raw.sib.scale;
    if (op.base_mask && op.index_mask && i.raw.disp.size != 0) op.clocks += kLongAddressClocks;
}

void set_immediate(const Shape& shape, const ZydisDecodedOperandImm& imm, Op& op) {
    op.immediate = static_cast<std::uint32_t>(imm.value.u);
    if (!imm.is_relative && shape.size < 4 && shape.form != Form::i)
        op.immediate &= (1u << 8 * shape.size) - 1;
}

// The segment register of the operand that a segment override prefix applies to. The operand that
// edi addresses is always in es and is skipped.
Seg source_segment(const Decoded& d) {
    for (unsigned n = 0; n < d.instruction.operand_count; ++n) {
        const ZydisDecodedOperand& o = d.operand(n);
        if (o.type == ZYDIS_OPERAND_TYPE_MEMORY && number(o.mem.base) != edi)
            return static_cast<Seg>(number(o.mem.segment));
    }
    return ds;
}

// The first operand is the destination, the second the source. If one of them is in memory, the
// other's register is in Op::dst or Op::src by its position (Form).
void set_operands(const Decoded& d, const Shape& shape, Op& op) {
    for (unsigned n = 0; n < d.instruction.operand_count_visible; ++n) {
        const ZydisDecodedOperand& o = d.operand(n);
        switch (o.type) {
            case ZYDIS_OPERAND_TYPE_REGISTER:
                if (n < 2) (n == 0 ? op.dst : op.src) = number(o.reg.value);
                if (is_special(o.reg.value)) op.extra = static_cast<std::uint8_t>(shape.special);
                break;
            case ZYDIS_OPERAND_TYPE_POINTER:
                op.immediate = o.ptr.offset;
                op.displacement = o.ptr.segment;
                break;
            case ZYDIS_OPERAND_TYPE_MEMORY:
                set_memory(d.instruction, o.mem, op);
                break;
            case ZYDIS_OPERAND_TYPE_IMMEDIATE:
                if (shape.mnemonic == ZYDIS_MNEMONIC_ENTER && n == 1)
                    op.extra = static_cast<std::uint8_t>(o.imm.value.u);
                else
                    set_immediate(shape, o.imm, op);
                break;
            default:
                break;
        }
    }
    if (shape.mnemonic == ZYDIS_MNEMONIC_XCHG && has_memory(shape.form)) {
        if (shape.form == Form::mr) op.dst = op.src;
        op.locked = true;
    }
    if (shape.condition != kNoCondition) op.extra = shape.condition;
    if (is_string(shape.mnemonic) || shape.mnemonic == ZYDIS_MNEMONIC_XLAT)
        op.segment = source_segment(d);
    if (shape.repeat != Repeat::none) op.extra = element_clocks(shape.mnemonic);
}

// Puts the opcode, as the coprocessor receives it, and the coprocessor's clocks into Op::immediate.
void set_float(const ZydisDecodedInstruction& i, const FloatClocks& clocks, Op& op) {
    const unsigned modrm = i.raw.modrm.mod << 6 | i.raw.modrm.reg << 3 | i.raw.modrm.rm;
    op.immediate = esc_immediate((i.opcode & 7u) << 8 | modrm, clocks.coprocessor);
}

std::string hex(const std::uint8_t* bytes, std::size_t count) {
    std::string text;
    for (std::size_t n = 0; n < count; ++n) text += fmt::format(n ? " {:02x}" : "{:02x}", bytes[n]);
    return text;
}

Complaint undecodable(ZyanStatus status, const std::uint8_t* bytes, std::size_t available) {
    const std::string shown = hex(bytes, std::min<std::size_t>(available, 8));
    const char* const wild = "look for a jump into data, or code that was overwritten";
    if (status == ZYDIS_STATUS_ILLEGAL_LOCK)
        return {fmt::format("LOCK prefix where a 386 does not allow one (bytes {})", shown),
                "it is allowed on add adc sub sbb and or xor inc dec neg not bt bts btr btc xchg "
                "with a memory destination"};
    if (status == ZYDIS_STATUS_NO_MORE_DATA)
        return {fmt::format("an instruction runs past the end of memory (bytes {})", shown), wild};
    if (status == ZYDIS_STATUS_INSTRUCTION_TOO_LONG)
        return {fmt::format("an instruction of more than 15 bytes (bytes {})", shown), wild,
                Fault::general_protection};
    return {fmt::format("invalid opcode (bytes {})", shown), wild};
}

// gcc's option with which a program has no such instruction, beside -march.
const char* option_against(ZydisISASet set) {
    const std::string_view name = ZydisISASetGetString(set);
    if (name.find("SSE") != name.npos || name.find("AVX") != name.npos) return " -mno-sse";
    return name.find("MMX") != name.npos ? " -mno-mmx" : "";
}

Complaint unknown(Isa isa, const Decoded& d, const std::uint8_t* bytes) {
    const ZydisDecodedInstruction& i = d.instruction;
    const std::string shown = hex(bytes, i.length);
    const InstructionSet& mine = instruction_set(isa);
    if (i.mnemonic == ZYDIS_MNEMONIC_UD2)
        return {fmt::format("ud2 (bytes {}), gcc's trap for undefined behaviour", shown),
                "gcc puts it where the program cannot continue: a null pointer it saw, "
                "__builtin_unreachable(), __builtin_trap(); look at the source line"};
    const std::string what = fmt::format("instruction {} (bytes {}) does not exist on a {}",
                                         ZydisMnemonicGetString(i.mnemonic), shown, mine.number());
    for (const InstructionSet& other : kInstructionSets)
        if (!has_instruction(isa, d) && has_instruction(other.isa, d))
            return {what,
                    fmt::format("it is a {}'s: run with --set processor.isa={}, or compile "
                                "the guest for -march={}",
                                other.number(), other.name, mine.name),
                    Fault::undefined_opcode, true};
    const std::string_view option = option_against(i.meta.isa_set);
    return {what,
            fmt::format("compile the guest, and every library it is linked with, for "
                        "-march={}{}",
                        mine.name, option),
            Fault::undefined_opcode, !option.empty()};
}

InLoop in_loop(const Shape& shape, const Op& op) {
    if (shape.mnemonic == ZYDIS_MNEMONIC_NOP) return InLoop::idles;
    if (shape.mnemonic == ZYDIS_MNEMONIC_DEC && shape.size == 4 && !has_memory(shape.form))
        return InLoop::counts;
    const bool closes = shape.condition == kNotZero || shape.condition == kNotSign;
    return closes && shape.form == Form::i && op.operand_size == 4 ? InLoop::repeats
                                                                   : InLoop::other;
}

}  // namespace

Decoder::Decoder(Isa isa, std::uint32_t line_bytes) : isa_(isa), line_mask_(~(line_bytes - 1)) {
    ZydisDecoderInit(&wide_, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    ZydisDecoderInit(&narrow_, ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
    // Switches off meanings of prefixes that only later processors know. The 386 ignores these
    // prefixes: f3 0f bc is bsf, for example.
    for (const ZydisDecoderMode mode :
         {ZYDIS_DECODER_MODE_MPX, ZYDIS_DECODER_MODE_CET, ZYDIS_DECODER_MODE_LZCNT,
          ZYDIS_DECODER_MODE_TZCNT, ZYDIS_DECODER_MODE_WBNOINVD, ZYDIS_DECODER_MODE_CLDEMOTE})
        for (ZydisDecoder* decoder : {&wide_, &narrow_})
            ZydisDecoderEnableMode(decoder, mode, ZYAN_FALSE);
}

std::optional<Complaint> Decoder::decode(const std::uint8_t* bytes, std::size_t available,
                                         bool wide, Op& op) const {
    const ZydisDecoder& zydis = wide ? wide_ : narrow_;
    Op fresh;
    fresh.address = op.address;
    fresh.execute = execute_undefined;
    const auto finish = [&](unsigned length) {
        fresh.length = static_cast<std::uint8_t>(length);
        fresh.last = op.address + length - 1;
        fresh.dwords = static_cast<std::uint8_t>(fresh.last / 4 - op.address / 4 + 1);
        fresh.in_one_line = (fresh.last & line_mask_) == (op.address & line_mask_);
        op = fresh;
    };
    Decoded d;
    const ZyanStatus status = decode_bytes(zydis, bytes, available, d);
    if (!ZYAN_SUCCESS(status)) {
        fresh.components = 1;
        finish(1);
        return undecodable(status, bytes, available);
    }
    const ZydisDecodedInstruction& i = d.instruction;
    fresh.components = components_of(i);
    fresh.address_size = i.address_width == 16 ? 2 : 4;
    fresh.operand_size = i.operand_width == 16 ? 2 : 4;
    const Shape shape = shape_of(d);
    const Routine routine = has_instruction(isa_, d) ? find_routine(shape) : nullptr;
    if (!routine) {
        finish(i.length);
        return unknown(isa_, d, bytes);
    }
    fresh.execute = routine.execute;
    fresh.locked = d.has(ZYDIS_ATTRIB_HAS_LOCK);
    set_operands(d, shape, fresh);
    const unsigned level = fresh.extra % 32u;  // second operand of enter
    const auto clocks = static_clocks(shape, level);
    if (!clocks) impossible("no clocks for {}", ZydisMnemonicGetString(i.mnemonic));
    fresh.clocks = static_cast<std::uint8_t>(fresh.clocks + *clocks);
    fresh.stores = stores_of(d, level);
    if (const auto timing = float_clocks(shape)) set_float(i, *timing, fresh);
    fresh.in_loop = in_loop(shape, fresh);
    fresh.relative = i.operand_count_visible > 0 && fresh.operand_size == 4 &&
                     d.operand(0).type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                     d.operand(0).imm.is_relative;
    finish(i.length);
    const bool begins_line = (op.address & ~line_mask_) == 0;
    if (op.address_size == 4 && !op.locked)
        op.fast = begins_line || !op.in_one_line ? routine.fast_entering : routine.fast;
    return std::nullopt;
}

}  // namespace symsim
