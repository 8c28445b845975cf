// SPDX-License-Identifier: MIT
#include "sim/observe/ledger.h"

#include <numeric>

#include "sim/base/failure.h"

namespace symsim {
namespace {

template <class Parts>
Time sum(const Parts& parts) {
    return std::accumulate(parts.begin(), parts.end(), Time{0});
}

}  // namespace

void check_partition(ProcessorId processor, const ProcessorTimes& times, Time end) {
    Time combined = 0;
    for (const auto& states : times.states_by_activity) combined += sum(states);
    if (sum(times.states) != end || sum(times.activities) != end || combined != end) {
        impossible(
            "processor {}: states sum to {} ps, activities to {} ps, both combined to {} ps, but "
            "the run took {} ps",
            processor, sum(times.states), sum(times.activities), combined, end);
    }
}

Ledger::Ledger(unsigned processors) : present_(processors), times_(processors) {}

void Ledger::refuse(ProcessorId processor, Time at, const char* event) const {
    if (processor >= present_.size())
        impossible("{} of processor {}, but there are only {}", event, processor, present_.size());
    impossible("processor {}: {} at {} ps, told after an event at {} ps", processor, event, at,
               present_[processor].since);
}

void Ledger::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        if (mark.what == Mark::What::activity) {
            advance(processor, mark.time, "change of activity").activity = mark.activity;
        } else {
            advance(processor, mark.time, "probe point");
        }
    }
}

void Ledger::enter(ProcessorId processor, State state, Time at) {
    Present& now = advance(processor, at, "change of state");
    const bool on_the_bus = state == State::waiting || state == State::served;
    if (now.state == State::halted && on_the_bus) {
        impossible("processor {} is halted and yet {} at {} ps", processor, name(state), at);
    }
    now.state = state;
}

void Ledger::close(Time end) {
    for (ProcessorId processor = 0; processor < present_.size(); ++processor) {
        advance(processor, end, "the end of the run");
        ProcessorTimes& times = times_[processor];
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kStates; ++s) {
                times.activities[a] += times.states_by_activity[a][s];
                times.states[s] += times.states_by_activity[a][s];
            }
    }
}

}  // namespace symsim
