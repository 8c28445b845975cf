// SPDX-License-Identifier: MIT
// When each processor next has something to do, and which is first: a list, in order of time, of
// those that have. Most wait for the bus, which lets them go on soon: an entry finds its place
// after few steps from the front. Those that run far ahead pass by others, but seldom come.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class Timetable {
  public:
    explicit Timetable(std::size_t processors) : entries_(processors) {
        end_.before = end_.behind = &end_;
        for (ProcessorId p = 0; p < processors; ++p) {
            entries_[p].processor = p;
            link(entries_[p], 0);
        }
    }
    Timetable(const Timetable&) = delete;
    Timetable& operator=(const Timetable&) = delete;

    Time at(ProcessorId processor) const { return entries_[processor].at; }
    void set(ProcessorId processor, Time at) {
        Entry& entry = entries_[processor];
        if (entry.at != kNever) {
            entry.before->behind = entry.behind;
            entry.behind->before = entry.before;
        }
        link(entry, at);
    }
    // Of several at one time the one with the lowest number. Processor 0 if none has anything to
    // do.
    ProcessorId first() const { return end_.behind->processor; }
    Time soonest() const { return end_.behind->at; }

  private:
    struct Entry {
        Time at = kNever;
        Entry* before = nullptr;
        Entry* behind = nullptr;
        ProcessorId processor = 0;
    };

    void link(Entry& entry, Time at) {
        entry.at = at;
        if (at == kNever) return;
        Entry* behind = end_.behind;
        while (behind->at < at || (behind->at == at && behind->processor < entry.processor))
            behind = behind->behind;
        entry.behind = behind;
        entry.before = behind->before;
        entry.before->behind = behind->before = &entry;
    }

    std::vector<Entry> entries_;
    Entry end_;  // before the first, and behind the last
};

}  // namespace symsim
