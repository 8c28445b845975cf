// SPDX-License-Identifier: MIT
// When each processor next has something to do, and which is first: a list in order of time.
// Processors that have nothing to do (kNever) are not in it. Entries are inserted by searching from
// the front. Most processors wait for the bus, which lets them continue soon, so the search takes
// few steps. Processors that run far ahead are inserted behind others, but rarely.
#pragma once

#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class ReadyQueue {
  public:
    explicit ReadyQueue(std::size_t processors) : entries_(processors) {
        end_.before = end_.after = &end_;
        for (ProcessorId p = 0; p < processors; ++p) {
            entries_[p].processor = p;
            link(entries_[p], 0);
        }
    }
    ReadyQueue(const ReadyQueue&) = delete;
    ReadyQueue& operator=(const ReadyQueue&) = delete;

    Time at(ProcessorId processor) const { return entries_[processor].at; }
    void set(ProcessorId processor, Time at) {
        Entry& entry = entries_[processor];
        if (entry.at != kNever) {
            entry.before->after = entry.after;
            entry.after->before = entry.before;
        }
        link(entry, at);
    }
    // The processor with the earliest time; of several the one with the lowest number. Processor 0
    // if no processor has anything to do.
    ProcessorId first() const { return end_.after->processor; }
    Time soonest() const { return end_.after->at; }

  private:
    struct Entry {
        Time at = kNever;
        Entry* before = nullptr;
        Entry* after = nullptr;
        ProcessorId processor = 0;
    };

    void link(Entry& entry, Time at) {
        entry.at = at;
        if (at == kNever) return;
        Entry* after = end_.after;
        while (after->at < at || (after->at == at && after->processor < entry.processor))
            after = after->after;
        entry.after = after;
        entry.before = after->before;
        entry.before->after = after->before = &entry;
    }

    std::vector<Entry> entries_;
    Entry end_;  // before the first entry and after the last
};

}  // namespace symsim
