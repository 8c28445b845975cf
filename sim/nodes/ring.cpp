// SPDX-License-Identifier: MIT
#include "sim/nodes/ring.h"

#include <algorithm>

namespace symsim {

namespace {
Time message_time(const NodeMachineConfig& config, std::uint32_t bytes) {
    const std::uint32_t cycles =
        (bytes + config.ring_bytes_per_cycle - 1) / config.ring_bytes_per_cycle;
    return Clock(config.period()).cycles(cycles);
}
}  // namespace

Ring::Ring(const NodeMachineConfig& config, Resources& resources, StepQueue& steps)
    : resources_(resources),
      steps_(steps),
      clock_(config.period()),
      nodes_(config.count),
      rings_(config.rings),
      block_bytes_(config.block_bytes),
      with_block_(message_time(config, config.ring_header_bytes + config.block_bytes)),
      without_block_(message_time(config, config.ring_header_bytes)),
      hop_(clock_.cycles(config.ring_hop_cycles)),
      interface_(clock_.cycles(config.ring_interface_cycles)) {}

void Ring::send(const Message& message, Time at) {
    if (message.from == message.to)
        steps_.add(at, NodeStep::What::delivered, message);
    else
        steps_.add(at + interface_, NodeStep::What::hop, message, message.from);
}

void Ring::send_round(const Message& message, Time now) {
    steps_.add(now + interface_, NodeStep::What::hop, message, message.to);
}

void Ring::forward(Message message, NodeId to, Time now) {
    const NodeId from = message.to;
    message.to = to;
    steps_.add(now + interface_, NodeStep::What::hop, message, from);
}

// The last link is followed by the interface of the destination, which passes the message on when
// it has the whole of it.
void Ring::hop(Message message, NodeId node, Time now) {
    ++message.hops;
    BusUse use = use_of(message, now);
    use.size = carries_block(message.kind) ? static_cast<std::uint8_t>(block_bytes_) : 0;
    const Time start = resources_.use(link(message, node), now, length(message.kind), use);
    const auto next = static_cast<NodeId>((node + 1) % nodes_);
    if (next == message.to)
        steps_.add(start + hop_ + length(message.kind) + interface_, NodeStep::What::delivered,
                   message);
    else
        steps_.add(start + hop_, NodeStep::What::hop, message, next);
}

Time Ring::soonest(const Message& message, NodeId node, Time at, unsigned links,
                   bool at_destination) const {
    for (; links > 0; --links) {
        at = std::max(at, resources_.free_from(link(message, node))) + hop_;
        node = static_cast<NodeId>((node + 1) % nodes_);
    }
    return at_destination ? at + length(message.kind) + interface_ : at;
}

}  // namespace symsim
