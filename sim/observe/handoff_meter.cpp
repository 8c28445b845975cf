// SPDX-License-Identifier: MIT
#include "sim/observe/handoff_meter.h"

namespace symsim {

// An acquisition without a release before it, such as the first one, is not a handoff.
void HandoffMeter::take(ProcessorId processor, const Mark& mark) {
    if (mark.probe == ProbeKind::lock_release) {
        released_by_[mark.value] = processor;
        return;
    }
    const auto released = released_by_.find(mark.value);
    if (released == released_by_.end()) return;
    const ProcessorId from = released->second;
    released_by_.erase(released);
    const unsigned links = topology_.links(from, processor);
    Handoffs& handoffs = handoffs_[{mark.value, processor}];
    ++handoffs.count;
    handoffs.links += links;
    if (from == processor)
        ++handoffs.own_processor;
    else if (links == 0)
        ++handoffs.own_node;
}

void HandoffMeter::add_to(std::vector<LockReport>& locks) const {
    for (LockReport& lock : locks)
        for (auto& [processor, times] : lock.processors) {
            const auto found = handoffs_.find({lock.address, processor});
            if (found == handoffs_.end()) continue;
            times.handoffs = found->second;
            lock.all.handoffs += found->second;
        }
}

}  // namespace symsim
