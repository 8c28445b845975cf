// SPDX-License-Identifier: MIT
#include "sim/base/exception_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace symsim {
namespace {

struct Exception {
    std::string_view mnemonic;
    std::string_view name;
};

// 80386 Programmer's Reference Manual, 9.8, table 9-1 and the sections behind it.
constexpr std::array<Exception, 17> kExceptions = {{{"#DE", "divide error"},
                                                    {"#DB", "debug exception"},
                                                    {"NMI", "nonmaskable interrupt"},
                                                    {"#BP", "breakpoint"},
                                                    {"#OF", "overflow"},
                                                    {"#BR", "bounds check"},
                                                    {"#UD", "invalid opcode"},
                                                    {"#NM", "coprocessor not available"},
                                                    {"#DF", "double fault"},
                                                    {"", "coprocessor segment overrun"},
                                                    {"#TS", "invalid TSS"},
                                                    {"#NP", "segment not present"},
                                                    {"#SS", "stack exception"},
                                                    {"#GP", "general protection exception"},
                                                    {"#PF", "page fault"},
                                                    {"", ""},
                                                    {"#MF", "coprocessor error"}}};

constexpr std::uint8_t kPageFault = 14;

Exception exception(std::uint8_t vector) {
    return vector < kExceptions.size() ? kExceptions[vector] : Exception{};
}

}  // namespace

std::string exception_mnemonic(std::uint8_t vector) {
    return std::string(exception(vector).mnemonic);
}

std::string exception_name(std::uint8_t vector) {
    return std::string(exception(vector).name);
}

// Of a page fault: bit 0 protection, bit 1 write, bit 2 user (same manual, 9.8.14). Of the others:
// a selector with EXT and IDT for its lowest bits, then TI (9.7).
std::string error_code_text(std::uint8_t vector, std::uint32_t code) {
    if (vector == kPageFault)
        return fmt::format("{} by {} code {} a page that {}", code & 2 ? "write" : "read",
                           code & 4 ? "user" : "supervisor", code & 2 ? "to" : "of",
                           code & 1 ? "its rights forbid" : "is not present");
    std::string text = (code & 0xFFFE) == 0 ? "no selector"
                       : code & 2           ? fmt::format("gate {} of the IDT", code >> 3 & 0x1FFF)
                                  : fmt::format("selector {:#06x} in the {}", code & 0xFFFC,
                                                code & 4 ? "LDT" : "GDT");
    if (code & 1) text += ", in delivering an interrupt or exception";
    return text;
}

std::string exception_text(const GuestFailure& failure) {
    if (!failure.vector) return "";
    const std::uint8_t vector = *failure.vector;
    std::string text = fmt::format("exception {}", vector);
    if (const std::string mnemonic = exception_mnemonic(vector); !mnemonic.empty())
        text += " " + mnemonic;
    if (const std::string name = exception_name(vector); !name.empty())
        text += fmt::format(" ({})", name);
    if (failure.error_code)
        text += fmt::format(", error code {:#x}: {}", *failure.error_code,
                            error_code_text(vector, *failure.error_code));
    if (failure.cr2) text += fmt::format(", cr2 {:#010x}", *failure.cr2);
    return text;
}

}  // namespace symsim
