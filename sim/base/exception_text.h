// SPDX-License-Identifier: MIT
// The 386's exceptions in words.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/failure.h"

namespace symsim {

// "#PF", as Intel's manuals abbreviate them; empty for a vector that is none of the 386's.
std::string exception_mnemonic(std::uint8_t vector);
// "page fault"
std::string exception_name(std::uint8_t vector);
// What the bits of an error code say: "write by user code to a page that is not present".
std::string error_code_text(std::uint8_t vector, std::uint32_t code);
// "exception 14 #PF (page fault), error code 0x6: write by user code to a page that is not
// present, cr2 0x00001000"; empty if the failure is no exception.
std::string exception_text(const GuestFailure& failure);

}  // namespace symsim
