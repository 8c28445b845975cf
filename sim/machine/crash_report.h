// SPDX-License-Identifier: MIT
// What a user needs to find the guest's mistake: registers, and how it came there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/context.h"
#include "sim/machine/image.h"
#include "sim/machine/source_lines.h"
#include "sim/observe/report.h"

namespace symsim {

std::string registers_text(const Context& context);

// "0x00101234 function+0x12 (guest/workloads/counter.c:34)", with what of it is known.
std::string place_text(Address address, const Image& image, const SourceLines& lines);

// Innermost first. A return address is shown as such, with the line of its call.
std::vector<std::string> backtrace(const Context& context, const CacheController& cache,
                                   const Image& image, const SourceLines& lines);

// Taken branches as pairs of addresses: of the branch, and of where it went.
using Branches = std::vector<std::pair<Address, Address>>;
std::vector<BranchReport> branch_reports(const Branches& branches, const Image& image,
                                         const SourceLines& lines);

}  // namespace symsim
