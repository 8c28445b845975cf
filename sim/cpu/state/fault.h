// SPDX-License-Identifier: MIT
// The 386's exceptions by vector (PRM, chapter 9).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace symsim {

enum class Fault : std::uint8_t {
    divide_error = 0,
    debug = 1,
    nmi = 2,
    breakpoint = 3,
    overflow = 4,
    bound = 5,
    undefined_opcode = 6,
    no_coprocessor = 7,
    double_fault = 8,
    coprocessor_overrun = 9,
    invalid_tss = 10,
    not_present = 11,
    stack = 12,
    general_protection = 13,
    page = 14,
    coprocessor_error = 16,
};

struct FaultName {
    std::string_view mnemonic;
    std::string_view text;
};

constexpr FaultName fault_name(unsigned vector) {
    constexpr std::array<FaultName, 17> kNames = {{
        {"#DE", "divide error"},
        {"#DB", "debug exception"},
        {"NMI", "non-maskable interrupt"},
        {"#BP", "breakpoint"},
        {"#OF", "overflow (into)"},
        {"#BR", "bounds check (bound)"},
        {"#UD", "invalid opcode"},
        {"#NM", "coprocessor not available"},
        {"#DF", "double fault"},
        {"#CO", "coprocessor segment overrun"},
        {"#TS", "invalid task state segment"},
        {"#NP", "segment not present"},
        {"#SS", "stack fault"},
        {"#GP", "general protection fault"},
        {"#PF", "page fault"},
        {"", "reserved vector"},
        {"#MF", "coprocessor error"},
    }};
    return vector < kNames.size() ? kNames[vector] : FaultName{"", "interrupt"};
}

// Whether an exception pushes an error code: the double fault and vectors 10 to 14 do (PRM 9.8).
constexpr bool has_error_code(Fault f) {
    return f == Fault::double_fault || (f >= Fault::invalid_tss && f <= Fault::page);
}

// Why an instruction cannot be executed, and the exception it raises.
struct Complaint {
    std::string what;
    std::string fix;
    Fault fault = Fault::undefined_opcode;
    bool by_options = false;  // an instruction that compilers make for later processors
};

}  // namespace symsim
