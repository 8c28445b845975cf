// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_registers.h"

#include <fmt/format.h>

#include <utility>

namespace symsim {

namespace {

constexpr unsigned kEip = 8, kFlags = 9, kSelectors = 10, kStack = 16, kControls = 24;
constexpr unsigned kFloatBytes = 10;
// GDB's order of the segment registers.
constexpr Seg kSelectorOrder[] = {cs, ss, ds, es, fs, gs};
enum Control { fctrl, fstat, ftag, fiseg, fioff, foseg, fooff, fop };

unsigned size_of(unsigned number) {
    return number >= kStack && number < kControls ? kFloatBytes : 4;
}

std::string bytes_of(std::uint64_t value, unsigned size) {
    std::string bytes;
    for (unsigned byte = 0; byte < size; ++byte)
        bytes += static_cast<char>(value >> 8 * byte & 0xff);
    return bytes;
}

std::uint64_t value_of(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < bytes.size(); ++byte)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[byte])} << 8 * byte;
    return value;
}

LinearAddress code_base(const Processor& processor) {
    return processor.system().segments[cs].base;
}

std::uint32_t control(const Fpu& fpu, unsigned which) {
    switch (which) {
        case fctrl:
            return fpu.control;
        case fstat:
            return fpu.status_word();
        case ftag:
            return fpu.tag_word();
        case fiseg:
            return fpu.pointers.code_selector;
        case fioff:
            return fpu.pointers.instruction;
        case foseg:
            return fpu.pointers.operand_selector;
        case fooff:
            return fpu.pointers.operand;
        default:
            return fpu.pointers.opcode;
    }
}

void set_control(Fpu& fpu, unsigned which, std::uint32_t value) {
    switch (which) {
        case fctrl:
            return fpu.set_control_word(value);
        case fstat:
            return fpu.set_status_word(static_cast<std::uint16_t>(value));
        case ftag:
            return fpu.set_tag_word(static_cast<std::uint16_t>(value));
        case fiseg:
            fpu.pointers.code_selector = static_cast<std::uint16_t>(value);
            return;
        case fioff:
            fpu.pointers.instruction = value;
            return;
        case foseg:
            fpu.pointers.operand_selector = static_cast<std::uint16_t>(value);
            return;
        case fooff:
            fpu.pointers.operand = value;
            return;
        default:
            fpu.pointers.opcode = static_cast<std::uint16_t>(value & 0x7ff);
    }
}

bool under_way(const UnderWay& instruction) {
    return instruction.fetched & kBegun || instruction.latched || instruction.accesses > 0;
}

}  // namespace

// XML: name, size and type of each register, in the order of the numbers.
std::string gdb_target_description() {
    std::string xml = R"(<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0">
<architecture>i386</architecture>
<feature name="org.gnu.gdb.i386.core">
<flags id="i386_eflags" size="4">
)";
    constexpr std::pair<const char*, unsigned> kFlagBits[] = {
        {"CF", 0}, {"", 1},    {"PF", 2},  {"AF", 4},  {"ZF", 6},  {"SF", 7},  {"TF", 8},
        {"IF", 9}, {"DF", 10}, {"OF", 11}, {"NT", 14}, {"RF", 16}, {"VM", 17}, {"AC", 18}};
    for (const auto& [name, bit] : kFlagBits)
        xml += fmt::format("<field name=\"{0}\" start=\"{1}\" end=\"{1}\"/>\n", name, bit);
    xml += "</flags>\n";
    const auto add = [&](std::string_view name, const char* type, unsigned bits = 32,
                         const char* group = "") {
        xml += fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\"{}/>\n", name, bits, type,
                           group);
    };
    for (const char* name : {"eax", "ecx", "edx", "ebx"}) add(name, "int32");
    for (const char* name : {"esp", "ebp"}) add(name, "data_ptr");
    for (const char* name : {"esi", "edi"}) add(name, "int32");
    add("eip", "code_ptr");
    add("eflags", "i386_eflags");
    for (const char* name : {"cs", "ss", "ds", "es", "fs", "gs"}) add(name, "int32");
    for (unsigned n = 0; n < kControls - kStack; ++n)
        add(fmt::format("st{}", n), "i387_ext", 8 * kFloatBytes);
    for (const char* name : {"fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop"})
        add(name, "int", 32, " group=\"float\"");
    return xml + "</feature>\n</target>\n";
}

// GDB knows no segments: it compares eip with addresses of breakpoints and reads the code there. So
// GDB's eip is the linear address.
std::string gdb_register(const Processor& processor, unsigned number) {
    const Context& context = processor.context();
    if (number < kEip) return bytes_of(context.regs[number], 4);
    if (number == kEip) return bytes_of(code_base(processor) + context.eip, 4);
    if (number == kFlags) return bytes_of(context.flags.value(), 4);
    if (number < kStack)
        return bytes_of(processor.system().segments[kSelectorOrder[number - kSelectors]].selector,
                        4);
    const Fpu& fpu = processor.fpu();
    if (number >= kControls) return bytes_of(control(fpu, number - kControls), 4);
    const Float80& st = fpu.st(number - kStack);
    return bytes_of(st.significand, 8) + bytes_of(st.sign_exponent, 2);
}

bool set_gdb_register(Processor& processor, unsigned number, std::string_view bytes) {
    if (number >= kGdbRegisters || bytes.size() != size_of(number)) return false;
    // GDB writes all registers to change one, so a register that cannot be set may be written with
    // the value it has.
    if (gdb_register(processor, number) == bytes) return true;
    Context& context = processor.context();
    if (under_way(context)) return false;
    const auto value = static_cast<std::uint32_t>(value_of(bytes.substr(0, 4)));
    if (number < kEip) {
        context.regs[number] = value;
    } else if (number == kEip) {
        context.eip = value - code_base(processor);
    } else if (number == kFlags) {
        context.flags.set(value);
        processor.system_changed();
    } else if (number < kStack) {
        return false;
    } else if (number >= kControls) {
        set_control(processor.fpu(), number - kControls, value);
    } else {
        Fpu& fpu = processor.fpu();
        fpu.registers[fpu.index(number - kStack)] = {
            value_of(bytes.substr(0, 8)), static_cast<std::uint16_t>(value_of(bytes.substr(8)))};
    }
    return true;
}

bool set_gdb_pc(Processor& processor, LinearAddress linear) {
    return set_gdb_register(processor, kEip, bytes_of(linear, 4));
}

}  // namespace symsim
