// SPDX-License-Identifier: MIT
#include "sim/observe/space_meter.h"

#include <utility>

#include "sim/base/failure.h"

namespace symsim {

namespace {
// What counts the marks of a probe point.
constexpr std::pair<ProbeKind, std::uint64_t SpaceTimes::*> kCounts[] = {
    {ProbeKind::process_yield, &SpaceTimes::donations},
    {ProbeKind::process_preempt, &SpaceTimes::preemptions},
    {ProbeKind::call_begin, &SpaceTimes::calls},
    {ProbeKind::call_served, &SpaceTimes::served},
    {ProbeKind::call_poll, &SpaceTimes::polls},
    {ProbeKind::call_received, &SpaceTimes::found},
    {ProbeKind::answer_received, &SpaceTimes::found},
};
}  // namespace

SpaceMeter::SpaceMeter(unsigned processors, const std::vector<std::string>& names)
    : spaces_(names.size() + 1), places_(processors) {
    for (std::size_t i = 0; i < names.size(); ++i) spaces_[i].name = names[i];
    for (Place& place : places_) place.space = static_cast<std::uint32_t>(names.size());
}

void SpaceMeter::advance(Place& place, Time at) {
    spaces_[place.space].activities[index(place.activity)] += at - place.since;
    place.since = at;
}

void SpaceMeter::passed(ProcessorId processor, const Mark& mark) {
    Place& place = places_[processor];
    if (mark.what == Mark::What::activity) {
        advance(place, mark.time);
        place.activity = mark.activity;
    } else if (mark.probe == ProbeKind::process_run) {
        advance(place, mark.time);
        place.space = mark.value % static_cast<std::uint32_t>(spaces_.size() - 1);
        ++spaces_[place.space].arrivals;
    } else {
        SpaceTimes& space = spaces_[place.space];
        for (const auto& [probe, count] : kCounts)
            if (mark.probe == probe) ++(space.*count);
        if (mark.probe == ProbeKind::process_upcall && mark.value < kUpcallReasons)
            ++space.upcalls[mark.value];
    }
}

void SpaceMeter::close(Time end) {
    for (Place& place : places_) advance(place, end);
    Time sum = 0;
    for (const SpaceTimes& space : spaces_) sum += space.held();
    const Time all = end * static_cast<Time>(places_.size());
    if (sum != all)
        impossible("the times of spaces sum to {} ps, the time of all processors is {} ps", sum,
                   all);
}

}  // namespace symsim
