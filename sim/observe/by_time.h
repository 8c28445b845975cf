// SPDX-License-Identifier: MIT
// Brings the events of all processors into one order: of time, and at one time by number of the
// processor. Both engines simulate processors in this order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Calls take(processor, event) for each event before `at`. `events`: by processor, each list in
// order of time.
template <class Event, class Take>
void for_each_by_time(const std::vector<std::vector<Event>>& events, Time at, Take&& take) {
    struct Place {
        Time time;
        ProcessorId processor;
        std::size_t number;
    };
    std::vector<Place> order;
    for (ProcessorId p = 0; p < events.size(); ++p)
        for (std::size_t n = 0; n < events[p].size() && events[p][n].time < at; ++n)
            order.push_back({events[p][n].time, p, n});
    std::sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
        if (a.time != b.time) return a.time < b.time;
        return a.processor != b.processor ? a.processor < b.processor : a.number < b.number;
    });
    for (const Place& place : order) take(place.processor, events[place.processor][place.number]);
}

}  // namespace symsim
