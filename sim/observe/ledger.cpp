// SPDX-License-Identifier: MIT
#include "sim/observe/ledger.h"

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {
ProcessorTimes::States ProcessorTimes::states() const {
    States all{};
    for (const States& of_activity : states_by_activity)
        for (std::size_t s = 0; s < kProcessorStates; ++s) all[s] += of_activity[s];
    return all;
}

std::array<Time, kActivities> ProcessorTimes::activities() const {
    std::array<Time, kActivities> all{};
    for (std::size_t a = 0; a < kActivities; ++a) all[a] = sum(states_by_activity[a]);
    return all;
}

ProcessorTimes& ProcessorTimes::operator+=(const ProcessorTimes& other) {
    for (std::size_t a = 0; a < kActivities; ++a)
        for (std::size_t s = 0; s < kProcessorStates; ++s)
            states_by_activity[a][s] += other.states_by_activity[a][s];
    return *this;
}

void check_partition(ProcessorId processor, const ProcessorTimes& times, Time end) {
    if (const Time all = sum(times.states()); all != end)
        impossible("processor {}: its times sum to {} ps, but the run took {} ps", processor, all,
                   end);
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
        const Account& account = advance(processor, end, "the end of the run");
        for (std::size_t n = 0; n < account.times.size(); ++n)
            times_[processor].states_by_activity[n / kProcessorStates][n % kProcessorStates] =
                account.times[n];
    }
}

}  // namespace symsim
