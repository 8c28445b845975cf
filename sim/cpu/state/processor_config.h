// SPDX-License-Identifier: MIT
// The keys of [processor], and what a processor is built from.
#pragma once

#include "sim/base/fields.h"
#include "sim/base/options.h"
#include "sim/base/time.h"

namespace symsim {

struct ProcessorConfig {
    double clock_mhz = 16.0;
    Isa isa = Isa::i386;

    Time period() const { return period_of(clock_mhz); }
};

template <class Visit>
void for_each_field(ProcessorConfig& processor, Visit&& visit) {
    visit("clock_mhz", "MHz", processor.clock_mhz, fits::Numbers{1.0, 1000.0},
          "Processor clock; its period must be a whole number of picoseconds.");
    visit("isa", "", processor.isa, fits::Names{{"i386", "i486", "i586", "i686"}},
          "Instruction set; i486 adds xadd, cmpxchg, bswap, invlpg and wbinvd; i586 cmpxchg8b, "
          "rdtsc, cpuid and pages of 4 MB; i686 cmov, fcmov, fcomi and nops with an operand. None "
          "has MMX or SSE.");
}

}  // namespace symsim
