// SPDX-License-Identifier: MIT
// Measures calls between address spaces by their parts (call_parts.h). The numbers come from the
// probe points of calls.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/call_parts.h"
#include "sim/observe/spans.h"

namespace symsim {

struct CallReport {
    std::uint64_t calls = 0;   // that have returned
    std::uint64_t served = 0;  // procedures that were entered
    std::array<Spans, kCallParts> parts;
};

// The Recorder calls passed() for each mark, then close() once, then report().
class CallMeter {
  public:
    explicit CallMeter(unsigned processors) : processors_(processors) {}

    void passed(ProcessorId processor, const Mark& mark) {
        if (const auto ended = processors_[processor].take(mark)) count(*ended, mark.probe);
    }
    // Aborts unless the parts sum to the time of all processors.
    void close(Time end);
    const CallReport& report() const { return report_; }

  private:
    void add(const CallSpan& span) { report_.parts[index(span.part)].add(span.from, span.to); }
    // The probe point has ended the span.
    void count(const CallSpan& ended, ProbeKind kind) {
        add(ended);
        if (kind == ProbeKind::call_end) ++report_.calls;
        if (kind == ProbeKind::call_served) ++report_.served;
    }

    CallReport report_;
    std::vector<CallParts> processors_;  // by number
};

}  // namespace symsim
