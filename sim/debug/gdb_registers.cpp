// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_registers.h"

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

const std::string_view kGdbTargetDescription = R"(<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0">
<architecture>i386</architecture>
<feature name="org.gnu.gdb.i386.core">
<flags id="i386_eflags" size="4">
<field name="CF" start="0" end="0"/>
<field name="" start="1" end="1"/>
<field name="PF" start="2" end="2"/>
<field name="AF" start="4" end="4"/>
<field name="ZF" start="6" end="6"/>
<field name="SF" start="7" end="7"/>
<field name="TF" start="8" end="8"/>
<field name="IF" start="9" end="9"/>
<field name="DF" start="10" end="10"/>
<field name="OF" start="11" end="11"/>
<field name="NT" start="14" end="14"/>
<field name="RF" start="16" end="16"/>
<field name="VM" start="17" end="17"/>
<field name="AC" start="18" end="18"/>
</flags>
<reg name="eax" bitsize="32" type="int32" regnum="0"/>
<reg name="ecx" bitsize="32" type="int32"/>
<reg name="edx" bitsize="32" type="int32"/>
<reg name="ebx" bitsize="32" type="int32"/>
<reg name="esp" bitsize="32" type="data_ptr"/>
<reg name="ebp" bitsize="32" type="data_ptr"/>
<reg name="esi" bitsize="32" type="int32"/>
<reg name="edi" bitsize="32" type="int32"/>
<reg name="eip" bitsize="32" type="code_ptr"/>
<reg name="eflags" bitsize="32" type="i386_eflags"/>
<reg name="cs" bitsize="32" type="int32"/>
<reg name="ss" bitsize="32" type="int32"/>
<reg name="ds" bitsize="32" type="int32"/>
<reg name="es" bitsize="32" type="int32"/>
<reg name="fs" bitsize="32" type="int32"/>
<reg name="gs" bitsize="32" type="int32"/>
<reg name="st0" bitsize="80" type="i387_ext"/>
<reg name="st1" bitsize="80" type="i387_ext"/>
<reg name="st2" bitsize="80" type="i387_ext"/>
<reg name="st3" bitsize="80" type="i387_ext"/>
<reg name="st4" bitsize="80" type="i387_ext"/>
<reg name="st5" bitsize="80" type="i387_ext"/>
<reg name="st6" bitsize="80" type="i387_ext"/>
<reg name="st7" bitsize="80" type="i387_ext"/>
<reg name="fctrl" bitsize="32" type="int" group="float"/>
<reg name="fstat" bitsize="32" type="int" group="float"/>
<reg name="ftag" bitsize="32" type="int" group="float"/>
<reg name="fiseg" bitsize="32" type="int" group="float"/>
<reg name="fioff" bitsize="32" type="int" group="float"/>
<reg name="foseg" bitsize="32" type="int" group="float"/>
<reg name="fooff" bitsize="32" type="int" group="float"/>
<reg name="fop" bitsize="32" type="int" group="float"/>
</feature>
</target>
)";

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
