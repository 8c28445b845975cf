// SPDX-License-Identifier: MIT
// Instructions in a Linux program that the chosen processor does not have, as far as they can be
// known before a run.
#pragma once

#include <string>

#include "sim/base/options.h"
#include "sim/image/image.h"

namespace symsim {

// One sentence: symbol, instruction, and the way out; empty if none is found. What is searched for
// are instructions that compilers make unless an option forbids them, such as SSE. The C library
// has functions with these, among which it chooses by CPUID. They are left out by their names,
// which begin with an underscore: C reserves such names for compilers and their libraries.
std::string foreign_code(const Image& image, Isa isa);

}  // namespace symsim
