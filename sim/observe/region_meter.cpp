// SPDX-License-Identifier: MIT
#include "sim/observe/region_meter.h"

#include <algorithm>

namespace symsim {

// The guest chooses the order of its probe points, so no order is an error. A second begin replaces
// the first. An end without a begin is counted and sets last_end, but no time is measured.
void RegionMeter::begin(std::uint32_t number, ProcessorId processor, Time at) {
    Entry& entry = entries_[{number, processor}];
    ++entry.region.begins;
    entry.region.first_begin = std::min(entry.region.first_begin, at);
    entry.began = at;
}

void RegionMeter::end(std::uint32_t number, ProcessorId processor, Time at) {
    Entry& entry = entries_[{number, processor}];
    RegionReport& region = entry.region;
    ++region.ends;
    region.last_end = at;
    region.inside.add(entry.began, at);
    entry.began = kNever;
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
        all.first_begin = std::min(all.first_begin, one.first_begin);
        all.last_end = std::max(all.last_end, one.last_end);
        all.inside += one.inside;
        all.open += one.open;
    }
    return regions;
}

}  // namespace symsim
