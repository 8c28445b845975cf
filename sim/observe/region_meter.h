// SPDX-License-Identifier: MIT
// Measures how long the guest was in its regions. The numbers come from the guest's probe points
// region_begin and region_end.
//
// A region has a number. It begins and ends on one processor and is measured there. Guests mark as
// a region the part they time, which gives a time without the cost of reading a clock.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {

// One region, on one processor or summed over processors.
struct RegionReport {
    std::uint32_t number = 0;
    unsigned processors = 0;  // how many began or ended it
    std::uint64_t begins = 0;
    std::uint64_t ends = 0;
    Time first_begin = kNever;  // kNever: there was none
    Time last_end = -1;         // -1: there was none
    Spans inside;               // from begin to end, if the begin was seen
    Time open = 0;  // of regions that have not ended when the run ends: up to then; not in `inside`
};

// The Recorder calls passed() for each mark, then close() once, then report().
class RegionMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what != Mark::What::probe) return;
        if (mark.probe == ProbeKind::region_begin) begin(mark.value, processor, mark.time);
        if (mark.probe == ProbeKind::region_end) end(mark.value, processor, mark.time);
    }
    void close(Time end);

    // One report per region, in order of number.
    std::vector<RegionReport> report() const;

  private:
    struct Entry {
        RegionReport region;
        Time began = kNever;  // kNever: the processor is not in the region
    };
    void begin(std::uint32_t number, ProcessorId processor, Time at);
    void end(std::uint32_t number, ProcessorId processor, Time at);

    std::map<std::pair<std::uint32_t, ProcessorId>, Entry> entries_;
};

}  // namespace symsim
