// SPDX-License-Identifier: MIT
// Whether instructions of a code line can be in a processor's prefetch queue, where a change of the
// line in the cache does not reach them.
#pragma once

#include "sim/base/types.h"
#include "sim/cache/cache.h"
#include "sim/cpu/core/processor.h"

namespace symsim {

// The queue has the last line entered, and lines of the instruction under way. That may span
// several short lines, up to the last one entered. It does no harm to count a line too many.
inline bool may_be_prefetched(const Context& context, const Cache& cache, Address line) {
    const Address here = Processor::code_address(context);
    const Address last = context.fetch_line;
    if (last == line || (here != kNoLine && cache.line_of(here) == line)) return true;
    return context.fetched != 0 && (line - here < kMostCodeBytes || last - line < kMostCodeBytes);
}

}  // namespace symsim
