// SPDX-License-Identifier: MIT
// Describes an exception that no handler took, for the reports of a run.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/failure.h"

namespace symsim {

// The bits of an error code in words: "write by user code to a page that is not present".
std::string error_code_text(std::uint8_t vector, std::uint32_t code);
// "exception 14 #PF (page fault), error code 0x6: write by user code to a page that is not
// present, cr2 0x00001000"; empty if the failure is not an exception.
std::string exception_text(const GuestFailure& failure);

}  // namespace symsim
