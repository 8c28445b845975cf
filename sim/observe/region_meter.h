// SPDX-License-Identifier: MIT
// How long the guest was in its regions, from its probe points: a region has a number, begins and
// ends on one processor, and is measured there. Guests mark with one what they time, so that a
// time is known that no reading of a clock is part of.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/spans.h"

namespace symsim {

// All processors together.
struct RegionReport {
    std::uint32_t number = 0;
    unsigned processors = 0;  // that began or ended it
    std::uint64_t begins = 0;
    std::uint64_t ends = 0;
    Time first_begin = kNever;  // kNever: there was none
    Time last_end = -1;         // -1: there was none
    Spans inside;               // begin to end, where the begin was seen
    Time open = 0;  // of those that have not ended, until the end of the run; not in `inside`

    template <class Archive>
    void serialize(Archive& archive) {
        archive(number, processors, begins, ends, inside.count, first_begin, last_end, inside.sum,
                inside.most, open);
    }
};

class RegionMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what != Mark::What::probe) return;
        if (mark.probe == ProbeKind::region_begin) begin(mark.value, processor, mark.time);
        if (mark.probe == ProbeKind::region_end) end(mark.value, processor, mark.time);
    }
    void close(Time end);

    // In order of number.
    std::vector<RegionReport> report() const;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(entries_);
    }

  private:
    struct Entry {
        RegionReport region;
        Time began = kNever;  // kNever: it is not open

        template <class Archive>
        void serialize(Archive& archive) {
            archive(region, began);
        }
    };
    void begin(std::uint32_t number, ProcessorId processor, Time at);
    void end(std::uint32_t number, ProcessorId processor, Time at);

    std::map<std::pair<std::uint32_t, ProcessorId>, Entry> entries_;
};

}  // namespace symsim
