// SPDX-License-Identifier: MIT
// The state of the nodes in checkpoints, and checks of a state that was loaded.
#include "sim/base/archive.h"
#include "sim/base/saved_state.h"
#include "sim/nodes/nodes.h"

namespace symsim {

template <class Archive>
void Nodes::serialize(Archive& archive) {
    std::vector<RequestQueue> queues;
    std::vector<PortCounts> counts;
    for (AttachedPort& port : ports_) {
        queues.push_back(port.queue);
        counts.push_back(port.counts);
    }
    archive(queues, counts, next_event_, last_event_, last_grant_, turn_, under_way_, transactions_,
            steps_, resources_, placement_, directory_, candidates_.locks);
    for (const auto& node : nodes_) archive(*node);
    require(queues.size() == ports_.size() && counts.size() == ports_.size() &&
                transactions_.size() == ports_.size(),
            "it has {} ports", queues.size());
    for (ProcessorId port = 0; port < ports_.size(); ++port) {
        ports_[port].queue = queues[port];
        ports_[port].counts = counts[port];
        candidates_.requests.clear(port);
        if (!queues[port].empty())
            candidates_.requests.set(port, head(port).kind, line_of(head(port).address),
                                     eligible_from(head(port).posted));
    }
    candidates_.locks.find_blocked(candidates_.requests);
}

void Nodes::save_state(SaveArchive& archive) {
    serialize(archive);
}

void Nodes::load_state(LoadArchive& archive) {
    serialize(archive);
}

void Nodes::check_loaded(Time at) const {
    const ProcessorSet all = ProcessorSet::first(static_cast<unsigned>(ports_.size()));
    require((under_way_ - all).empty(), "requests of ports {} are under way", under_way_.text());
    for (const AttachedPort& port : ports_) port.counts.check_loaded();
    candidates_.locks.check_loaded(ports_.size(), config_.line_bytes, memory_.size());
    require(last_event_ >= -1 && last_event_ < at && last_grant_ >= -1 &&
                last_grant_ <= last_event_ && turn_ < kMaxProcessors,
            "the last event was at {} ps and the last grant at {} ps", last_event_, last_grant_);
    require(next_event_ >= at, "the next event is at {} ps", next_event_);
}

}  // namespace symsim
