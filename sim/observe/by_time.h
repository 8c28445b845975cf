// SPDX-License-Identifier: MIT
// Brings the events of all processors into one order: of time, and at one time by number of the
// processor. Both engines simulate processors in this order.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

template <class Event>
using ByTime = std::vector<std::pair<ProcessorId, const Event*>>;

// The events for which has(event). `events`: by processor, each list in order of time.
template <class Event, class Has>
ByTime<Event> by_time(const std::vector<std::vector<Event>>& events, Has has) {
    ByTime<Event> order;
    for (ProcessorId p = 0; p < events.size(); ++p)
        for (const Event& event : events[p])
            if (has(event)) order.emplace_back(p, &event);
    // Those of a processor stand in memory in their order.
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        if (a.second->time != b.second->time) return a.second->time < b.second->time;
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return order;
}

// Keeps marks until all before a time have come.
class MarksByTime {
  public:
    explicit MarksByTime(unsigned processors) : kept_(processors) {}
    // Those of a processor come in order of time.
    void add(ProcessorId processor, const Mark& mark) { kept_[processor].push_back(mark); }
    // Calls take(processor, mark) for each mark before `at`, and forgets it.
    template <class Take>
    void take_before(Time at, Take&& take) {
        const auto is_before = [at](const Mark& mark) { return mark.time < at; };
        for (const auto& [processor, mark] : by_time(kept_, is_before)) take(processor, *mark);
        for (auto& marks : kept_)
            marks.erase(marks.begin(), std::find_if_not(marks.begin(), marks.end(), is_before));
    }

  private:
    std::vector<std::vector<Mark>> kept_;  // by processor
};

}  // namespace symsim
