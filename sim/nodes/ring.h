// SPDX-License-Identifier: MIT
// The rings between the nodes. A message goes from node to node in one direction until it is at its
// destination. Each link is a resource: a message occupies it for its length, and waits for it in
// order of arrival. It is passed on as soon as its head is at the next node (cut-through). So a
// request and its reply together go once round, wherever the home is.
//
// Several rings work side by side; the block's address chooses one. Two messages between the same
// nodes about one block therefore take the same links, and keep their order.
#pragma once

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/nodes/message.h"
#include "sim/nodes/nodes_config.h"
#include "sim/nodes/resources.h"
#include "sim/nodes/step_queue.h"

namespace symsim {

class Ring {
  public:
    Ring(const NodeMachineConfig& config, Resources& resources, StepQueue& steps);

    // Sends the message at `at`, which is now or later. To a home in the same node it uses no link.
    void send(const Message& message, Time at);
    // The message is at its destination, which has no room for it, and goes round the ring once
    // more.
    void send_round(const Message& message, Time now);
    // The message is at its destination, and continues to another one.
    void forward(Message message, NodeId to, Time now);
    // The message is at the interface of `node`, and continues over the next link.
    void hop(Message message, NodeId node, Time now);
    // The message is at the interface of `node` at `at`. When it can be `links` links further on at
    // the soonest: at the interface there, or at its destination.
    Time soonest(const Message& message, NodeId node, Time at, unsigned links,
                 bool at_destination) const;

  private:
    unsigned link(const Message& message, NodeId node) const {
        return resources_.link(node, message.block / block_bytes_ % rings_);
    }
    Time length(MessageKind kind) const {
        return carries_block(kind) ? with_block_ : without_block_;
    }

    Resources& resources_;
    StepQueue& steps_;
    Clock clock_;
    unsigned nodes_, rings_, block_bytes_;
    Time with_block_, without_block_;  // how long a message occupies a link
    Time hop_, interface_;
};

}  // namespace symsim
