// SPDX-License-Identifier: MIT
#include "sim/observe/ledger.h"

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {
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

Ledger::Ledger(unsigned processors)
    : processors_(processors), accounts_(processors), times_(processors) {}

void Ledger::refuse(ProcessorId processor, const char* event, Time at) const {
    if (processor >= processors_)
        impossible("{} of processor {}, but there are only {}", event, processor, processors_);
    impossible("processor {}: {} at {} ps, told after an event at {} ps", processor, event, at,
               accounts_[processor].since);
}

void Ledger::refuse_halted(ProcessorId processor, ProcessorState state, Time at) const {
    impossible("processor {} is halted and yet {} at {} ps", processor, name(state), at);
}

void Ledger::close(Time end) {
    for (ProcessorId processor = 0; processor < accounts_.size(); ++processor) {
        Account& account = advance(processor, end, "the end of the run");
        ProcessorTimes& times = times_[processor];
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kProcessorStates; ++s) {
                const Time time = account.times[a * kProcessorStates + s];
                times.states_by_activity[a][s] = time;
                times.activities[a] += time;
                times.states[s] += time;
            }
    }
}

}  // namespace symsim
