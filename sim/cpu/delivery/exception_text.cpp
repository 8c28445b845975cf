// SPDX-License-Identifier: MIT
// The texts follow the error codes of the 80386 Programmer's Reference Manual, 1986 (PRM).
#include "sim/cpu/delivery/exception_text.h"

#include <fmt/format.h>

#include "sim/cpu/state/fault.h"

namespace symsim {
namespace {

constexpr auto kPageFault = static_cast<std::uint8_t>(Fault::page);

}  // namespace

// The error code of a page fault: bit 0 protection, bit 1 write, bit 2 user (PRM 9.8.14). Any other
// error code is like a selector, but its lowest bits are EXT, IDT and TI (PRM 9.7).
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
    const FaultName name = fault_name(vector);
    if (!name.mnemonic.empty()) text += fmt::format(" {}", name.mnemonic);
    text += fmt::format(" ({})", name.text);
    if (failure.error_code)
        text += fmt::format(", error code {:#x}: {}", *failure.error_code,
                            error_code_text(vector, *failure.error_code));
    if (failure.cr2) text += fmt::format(", cr2 {:#010x}", *failure.cr2);
    return text;
}

}  // namespace symsim
