// SPDX-License-Identifier: MIT
#include "sim/observe/region_meter.h"

#include <algorithm>

namespace symsim {

// The guest chooses the order of its probe points, so none is an error here: a second begin
// replaces the first, and of an end without a begin only the time it came at is known.
void RegionMeter::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        const bool begins = mark.probe == ProbeKind::region_begin;
        if (mark.what != Mark::What::probe || (!begins && mark.probe != ProbeKind::region_end))
            continue;
        Entry& entry = entries_[{mark.value, processor}];
        RegionReport& region = entry.region;
        if (begins) {
            ++region.begins;
            region.first_begin = std::min(region.first_begin, mark.time);
            entry.began = mark.time;
            continue;
        }
        ++region.ends;
        region.last_end = mark.time;
        if (entry.began == kNever) continue;
        ++region.times;
        region.inside += mark.time - entry.began;
        region.max_inside = std::max(region.max_inside, mark.time - entry.began);
        entry.began = kNever;
    }
}

void RegionMeter::close(Time end) {
    for (auto& [key, entry] : entries_)
        if (entry.began != kNever) entry.region.open = end - entry.began;
}

std::vector<RegionReport> RegionMeter::report() const {
    std::vector<RegionReport> regions;
    for (const auto& [key, entry] : entries_) {
        if (regions.empty() || regions.back().number != key.first) {
            regions.emplace_back();
            regions.back().number = key.first;
        }
        RegionReport& all = regions.back();
        const RegionReport& one = entry.region;
        ++all.processors;
        all.begins += one.begins;
        all.ends += one.ends;
        all.times += one.times;
        all.first_begin = std::min(all.first_begin, one.first_begin);
        all.last_end = std::max(all.last_end, one.last_end);
        all.inside += one.inside;
        all.max_inside = std::max(all.max_inside, one.max_inside);
        all.open += one.open;
    }
    return regions;
}

}  // namespace symsim
