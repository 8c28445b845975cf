// SPDX-License-Identifier: MIT
// Shared by the handlers of the 80387's instructions: how an ESC instruction begins and ends, its
// operands in memory, and stack faults.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "sim/cpu/execute/operands.h"
#include "sim/cpu/fpu/arithmetic.h"
#include "sim/cpu/fpu/convert.h"
#include "sim/cpu/isa/float_clocks.h"

namespace symsim {

// The i of ST(i), from the opcode. Zydis may list ST(0) as another operand; this i is right there
// too.
inline unsigned other_register(const Op& op) {
    return op.immediate & 7;
}

inline Fpu& fpu_of(Processor& cpu) {
    return cpu.fpu();
}

// The instruction waits until BUSY# is inactive. A second call, when the instruction is executed
// again, changes nothing.
inline void await_fpu(Processor& cpu) {
    Context& context = cpu.context();
    context.time = std::max(context.time, std::as_const(cpu).fpu().busy_until);
}

// Raises #NM if there is no coprocessor (EM) or it has the state of another task (TS) (PRM 11.2).
inline bool fpu_available(Processor& cpu) {
    return !(cpu.system().cr0 & (cr0::kEmulate | cr0::kTaskSwitched)) ||
           cpu.raise(Fault::no_coprocessor);
}

// Begins a control instruction that does not check for pending exceptions.
inline bool begin_control(Processor& cpu) {
    if (!fpu_available(cpu)) return false;
    await_fpu(cpu);
    return true;
}

// Begins any other ESC instruction. A pending exception of an earlier instruction is raised here.
inline bool begin_float(Processor& cpu) {
    return begin_control(cpu) && (!fpu_of(cpu).error() || cpu.raise(Fault::coprocessor_error));
}

// Ends a control instruction: the coprocessor is busy until it has the result.
inline void finish_control(Processor& cpu, const Op& op) {
    const Time clocks = op.immediate >> kEscOpcodeBits;
    fpu_of(cpu).busy_until = cpu.context().time + cpu.clock().cycles(clocks);
    cpu.changed();
}

// For a store: the processor waits until the result is there. Adds the clocks that Op::clocks
// cannot hold.
inline void wait_for_result(Processor& cpu, const Op& op) {
    const unsigned clocks = op.immediate >> kEscOpcodeBits;
    cpu.add_clocks(clocks - std::min(clocks, kMostStaticClocks));
}

// Ends any other ESC instruction, and sets the pointers that fstenv stores.
inline void finish_float(Processor& cpu, const Op& op) {
    FloatPointers& pointers = fpu_of(cpu).pointers;
    pointers.opcode = op.immediate & ((1u << kEscOpcodeBits) - 1);
    pointers.instruction = cpu.context().eip;
    pointers.code_selector = cpu.system().segments[cs].selector;
    finish_control(cpu, op);
}
// As finish_float(), for an instruction with a memory operand.
inline void finish_float_memory(Processor& cpu, const Op& op) {
    FloatPointers& pointers = fpu_of(cpu).pointers;
    pointers.operand = effective_address(cpu.regs(), op);
    pointers.operand_selector = cpu.system().segments[op.segment].selector;
    finish_float(cpu, op);
}

// --- memory access, one dword at a time ---------------------------------------------------------

constexpr unsigned kLargestFloatOperand = 108;  // of fnsave
using FloatBytes = std::array<std::uint8_t, kLargestFloatOperand>;

bool read_float_bytes(Processor& cpu, const Op& op, unsigned size, FloatBytes& bytes);
bool write_float_bytes(Processor& cpu, const Op& op, unsigned size, const FloatBytes& bytes);

// Little-endian.
template <unsigned Size>
std::uint64_t get_bytes(const FloatBytes& bytes, unsigned at = 0) {
    std::uint64_t value = 0;
    for (unsigned n = Size; n-- > 0;) value = value << 8 | bytes[at + n];
    return value;
}
template <unsigned Size>
void put_bytes(FloatBytes& bytes, unsigned at, std::uint64_t value) {
    for (unsigned n = 0; n < Size; ++n) bytes[at + n] = static_cast<std::uint8_t>(value >> 8 * n);
}

// --- operands from memory -----------------------------------------------------------------------

struct Single {
    static constexpr unsigned kSize = 4;
    static Widened widen(const FloatBytes& b) {
        return widen_single(static_cast<std::uint32_t>(get_bytes<4>(b)));
    }
};
struct Double {
    static constexpr unsigned kSize = 8;
    static Widened widen(const FloatBytes& b) { return widen_double(get_bytes<8>(b)); }
};
struct Extended {
    static constexpr unsigned kSize = 10;
    static Widened widen(const FloatBytes& b) {
        return {{get_bytes<8>(b), static_cast<std::uint16_t>(get_bytes<2>(b, 8))}};
    }
};
template <class Number>
struct Integer {
    static constexpr unsigned kSize = sizeof(Number);
    static Widened widen(const FloatBytes& b) {
        return {from_integer(static_cast<Number>(get_bytes<kSize>(b)))};
    }
};
using Int16 = Integer<std::int16_t>;
using Int32 = Integer<std::int32_t>;
using Int64 = Integer<std::int64_t>;
struct Decimal {
    static constexpr unsigned kSize = 10;
    static Widened widen(const FloatBytes& b) {
        PackedDecimal digits;
        std::copy_n(b.begin(), digits.size(), digits.begin());
        return {from_decimal(digits)};
    }
};

template <class Type>
bool read_float(Processor& cpu, const Op& op, Widened& number) {
    FloatBytes bytes;
    if (!read_float_bytes(cpu, op, Type::kSize, bytes)) return false;
    number = Type::widen(bytes);
    return true;
}

// --- the register stack -------------------------------------------------------------------------

// Stack underflow (the operand's register is empty) or stack overflow (there is no empty register
// to push to). Both are invalid operations; C1 is set on overflow and cleared on underflow. True:
// the exception is masked, and the result is the indefinite.
inline bool stack_fault(Environment& env, bool overflow) {
    env.raised |= kStackFault;
    env.rounded_up = overflow;
    return env.raise(kInvalid);
}

// Records what an operation reports. Unless it is refused, register `to` gets its result.
inline void commit(Fpu& fpu, const Environment& env, unsigned to, Float80 result, bool pops) {
    fpu.report(env);
    if (env.refused()) return;
    fpu.set(to, result);
    if (pops) fpu.pop();
}

// Replaces register `to` by a function of it and of register `other`.
template <Float80 (*Function)(Environment&, Float80, Float80)>
bool replace(Processor& cpu, const Op& op, unsigned to, unsigned other, bool pops) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 result = Float80::indefinite();
    if (fpu.is_empty(to) || fpu.is_empty(other))
        stack_fault(env, false);
    else
        result = Function(env, fpu.st(to), fpu.st(other));
    commit(fpu, env, to, result, pops);
    finish_float(cpu, op);
    return true;
}

// Replaces ST(0) by a function of it.
template <Float80 (*Function)(Environment&, Float80)>
Float80 of_first(Environment& env, Float80 first, Float80) {
    return Function(env, first);
}
template <Float80 (*Function)(Environment&, Float80)>
bool replace_top(Processor& cpu, const Op& op) {
    return replace<of_first<Function>>(cpu, op, 0, 0, false);
}

// Replaces ST(0) by one result of a function of ST(0) and pushes the other.
struct FloatPair {
    Float80 below;  // replaces ST(0)
    Float80 top;    // is pushed
};
template <FloatPair (*Function)(Environment&, Float80)>
bool replace_top_by_two(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    FloatPair result{Float80::indefinite(), Float80::indefinite()};
    if (fpu.is_empty(0) || !fpu.is_empty(7))
        stack_fault(env, !fpu.is_empty(0));
    else
        result = Function(env, fpu.st(0));
    fpu.report(env);
    if (!env.refused()) {
        fpu.set(0, result.below);
        fpu.push(result.top);
    }
    finish_float(cpu, op);
    return true;
}

}  // namespace symsim
