// SPDX-License-Identifier: MIT
// Instructions that control the processor: descriptor tables, task register, control, debug and
// test registers, clts; on the 486 also invlpg, invd, wbinvd (PRM chapters 4, 5, 10, 12).
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"

namespace symsim {
namespace {

enum class Table { gdt, idt };

TableRegister& table_of(Processor& cpu, Table table) {
    return table == Table::gdt ? cpu.system().gdtr : cpu.system().idtr;
}

// With a 16-bit operand size, the base has 24 bits (PRM, LGDT).
template <Table T, unsigned Size>
bool load_table(Processor& cpu, const Op& op) {
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t limit, base;
    if (!cpu.non_speculative() || !cpu.require_ring_0() || !cpu.read<2>(op, at, limit) ||
        !cpu.read<4>(op, address_after(op, at, 2), base))
        return false;
    table_of(cpu, T) = {Size == 2 ? base & 0x00ff'ffff : base, limit};
    return true;
}
template <Table T>
bool store_table(Processor& cpu, const Op& op) {
    const Address at = effective_address(cpu.regs(), op);
    const TableRegister& table = table_of(cpu, T);
    return cpu.non_speculative() && cpu.write<2>(op, at, table.limit) &&
           cpu.write<4>(op, address_after(op, at, 2), table.base);
}

bool protected_only(Processor& cpu) {
    return !cpu.system().real_segments() || cpu.raise(Fault::undefined_opcode);
}

// Reads the operand of lldt, ltr or lmsw.
template <bool Memory>
bool read_word(Processor& cpu, const Op& op, std::uint16_t& word) {
    std::uint32_t value;
    if (!cpu.require_ring_0() || !load_operand<2, Memory>(cpu, op, op.dst, value)) return false;
    word = static_cast<std::uint16_t>(value);
    return true;
}

template <bool Memory>
bool lldt(Processor& cpu, const Op& op) {
    std::uint16_t selector;
    if (!cpu.non_speculative() || !protected_only(cpu) || !read_word<Memory>(cpu, op, selector))
        return false;
    Segment ldt;
    ldt.selector = selector;
    if (!is_null(selector)) {
        const std::uint32_t error = selector_error(selector);
        Descriptor d;
        if (selector & 4) return cpu.raise(Fault::general_protection, error);
        if (!read_descriptor(cpu, selector, Fault::general_protection, d)) return false;
        if (!d.is_system() || d.type() != kLdt) return cpu.raise(Fault::general_protection, error);
        if (!d.present()) return cpu.raise(Fault::not_present, error);
        ldt = d.segment(selector);
    }
    cpu.system().ldtr = ldt;
    return true;
}

template <bool Memory>
bool ltr(Processor& cpu, const Op& op) {
    constexpr std::uint8_t kBusy = 2;
    std::uint16_t selector;
    if (!cpu.non_speculative() || !protected_only(cpu) || !read_word<Memory>(cpu, op, selector))
        return false;
    const std::uint32_t error = selector_error(selector);
    Descriptor d;
    if (is_null(selector)) return cpu.raise(Fault::general_protection);
    if (selector & 4) return cpu.raise(Fault::general_protection, error);
    if (!read_descriptor(cpu, selector, Fault::general_protection, d)) return false;
    if (!d.is_tss() || d.type() & kBusy) return cpu.raise(Fault::general_protection, error);
    if (!d.present()) return cpu.raise(Fault::not_present, error);
    if (!cpu.update_system(cpu.system().gdtr.base + error + 5, 0, kBusy)) return false;
    cpu.system().tr = d.segment(selector);
    cpu.system().tr.access |= kBusy;
    return true;
}

// A 32-bit register gets all bits of `value`: a selector is zero-extended. Memory gets two bytes
// whatever the operand size.
template <unsigned Size, bool Memory>
bool store_word(Processor& cpu, const Op& op, std::uint32_t value) {
    if constexpr (Memory) return cpu.write<2>(op, effective_address(cpu.regs(), op), value);
    cpu.regs().set<Size>(op.dst, value);
    return true;
}
// sldt and str.
template <Segment System::*Register, unsigned Size, bool Memory>
bool store_selector(Processor& cpu, const Op& op) {
    return cpu.non_speculative() && protected_only(cpu) &&
           store_word<Size, Memory>(cpu, op, (cpu.system().*Register).selector);
}
template <unsigned Size, bool Memory>
bool smsw(Processor& cpu, const Op& op) {
    if (Memory && !cpu.system().protected_mode()) cpu.add_clocks(kRealSmswClocks);
    return cpu.non_speculative() &&
           store_word<Size, Memory>(cpu, op, Memory ? cpu.system().cr0 & 0xffff : cpu.system().cr0);
}

std::uint32_t writable_cr0(Isa isa) {
    constexpr std::uint32_t k386 =
        cr0::kProtection | cr0::kMonitor | cr0::kEmulate | cr0::kTaskSwitched | cr0::kPaging;
    constexpr std::uint32_t k486 = 1u << 5 | cr0::kWriteProtect | 1u << 18 | 1u << 29 | 1u << 30;
    return isa == Isa::i386 ? k386 : k386 | k486;
}

// PG without PE raises #GP: paging requires protected mode (PRM 10.5 for the 386; the 486 raises
// #GP).
bool set_cr0(Processor& cpu, std::uint32_t value) {
    System& system = cpu.system();
    value = (value & writable_cr0(cpu.isa())) | cr0::kExtension;
    if (value & cr0::kPaging && !(value & cr0::kProtection))
        return cpu.raise(Fault::general_protection);
    const std::uint32_t changed = value ^ system.cr0;
    system.cr0 = value;
    if (changed & (cr0::kPaging | cr0::kProtection | cr0::kWriteProtect)) cpu.flush_tlb();
    cpu.system_changed();
    return true;
}

// lmsw cannot clear PE, so it cannot leave protected mode (PRM, LMSW).
template <bool Memory>
bool lmsw(Processor& cpu, const Op& op) {
    std::uint16_t value;
    if (!cpu.non_speculative() || !read_word<Memory>(cpu, op, value)) return false;
    const std::uint32_t old = cpu.system().cr0;
    return set_cr0(cpu, (old & ~0xeu) | (value & 0xf) | (old & cr0::kProtection));
}

bool clts(Processor& cpu, const Op&) {
    if (!cpu.non_speculative() || !cpu.require_ring_0()) return false;
    cpu.system().cr0 &= ~cr0::kTaskSwitched;
    return true;
}

// The decoder has refused registers that the processor does not have.
std::uint32_t& special_register(Processor& cpu, SpecialRegister kind, unsigned number) {
    System& system = cpu.system();
    if (kind == SpecialRegister::debug) return system.dr[number];
    if (kind == SpecialRegister::test) return system.test[number];
    return number == 0   ? system.cr0
           : number == 2 ? system.cr2
           : number == 3 ? system.cr3
                         : system.cr4;
}

// Other bits than those here raise #GP (SDM, MOV to control registers).
bool set_cr4(Processor& cpu, std::uint32_t value) {
    if (value & ~(cr4::kTimeStampDisable | cr4::kPageSize))
        return cpu.raise(Fault::general_protection);
    cpu.system().cr4 = value;
    cpu.flush_tlb();
    return true;
}

// Clocks that depend on the register number. Loads of cr0, cr2 and cr3 take 10, 4 and 5 clocks; dr0
// to dr3 take more clocks than dr6 and dr7.
unsigned numbered_clocks(SpecialRegister kind, unsigned number, bool load) {
    if (kind == SpecialRegister::debug && number < 4) return load ? 6 : 8;
    if (kind == SpecialRegister::control && load) return number == 0 ? 6 : number == 3 ? 1 : 0;
    return 0;
}

// `extra` is the SpecialRegister.
bool mov_from_special(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative() || !cpu.require_ring_0()) return false;
    const auto kind = static_cast<SpecialRegister>(op.extra);
    cpu.add_clocks(numbered_clocks(kind, op.src, false));
    cpu.regs()[op.dst] = special_register(cpu, kind, op.src);
    return true;
}

bool mov_to_special(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative() || !cpu.require_ring_0()) return false;
    const auto kind = static_cast<SpecialRegister>(op.extra);
    const std::uint32_t value = cpu.regs()[op.src];
    cpu.add_clocks(numbered_clocks(kind, op.dst, true));
    if (kind == SpecialRegister::control && op.dst == 0) return set_cr0(cpu, value);
    if (kind == SpecialRegister::control && op.dst == 4) return set_cr4(cpu, value);
    const bool is_dr6 = kind == SpecialRegister::debug && op.dst == 6;
    special_register(cpu, kind, op.dst) =
        is_dr6 ? (value & dr6::kWritable) | dr6::kAlwaysSet : value;
    if (kind == SpecialRegister::control && op.dst == 3) cpu.flush_tlb();
    return true;
}

bool invlpg(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative() || !cpu.require_ring_0()) return false;
    cpu.flush_tlb(cpu.system().segments[op.segment].base + effective_address(cpu.regs(), op));
    return true;
}

// invd and wbinvd write nothing back and lose nothing. With a write-through cache memory is always
// up to date, and the 486's on-chip cache is not modelled.
bool flush_cache(Processor& cpu, const Op&) {
    return cpu.non_speculative() && cpu.require_ring_0();
}

template <Segment System::*Register>
Routine find_store_selector(const Shape& shape) {
    return by_word_operand(shape, [](auto size, auto memory) -> Routine {
        return store_selector<Register, size, memory>;
    });
}

Routine find_smsw(const Shape& shape) {
    return by_word_operand(shape,
                           [](auto size, auto memory) -> Routine { return smsw<size, memory>; });
}

Routine find_mov(const Shape& shape) {
    if (shape.form == Form::rc) return mov_from_special;
    return shape.form == Form::cr ? mov_to_special : nullptr;
}

}  // namespace

Routine find_system(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_LGDT, load_table<Table::gdt, 2>, load_table<Table::gdt, 4>},
        {ZYDIS_MNEMONIC_LIDT, load_table<Table::idt, 2>, load_table<Table::idt, 4>},
        {ZYDIS_MNEMONIC_SGDT, store_table<Table::gdt>},
        {ZYDIS_MNEMONIC_SIDT, store_table<Table::idt>},
        {ZYDIS_MNEMONIC_LLDT, by_place<lldt<true>, lldt<false>>},
        {ZYDIS_MNEMONIC_LTR, by_place<ltr<true>, ltr<false>>},
        {ZYDIS_MNEMONIC_SLDT, find_store_selector<&System::ldtr>},
        {ZYDIS_MNEMONIC_STR, find_store_selector<&System::tr>},
        {ZYDIS_MNEMONIC_SMSW, find_smsw},
        {ZYDIS_MNEMONIC_LMSW, by_place<lmsw<true>, lmsw<false>>},
        {ZYDIS_MNEMONIC_CLTS, clts},
        {ZYDIS_MNEMONIC_MOV, find_mov},
        {ZYDIS_MNEMONIC_INVLPG, invlpg},
        {ZYDIS_MNEMONIC_INVD, flush_cache},
        {ZYDIS_MNEMONIC_WBINVD, flush_cache},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
