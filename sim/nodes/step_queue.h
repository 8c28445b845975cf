// SPDX-License-Identifier: MIT
// What is still to happen on the nodes, in order of time. Events of one time are in the order in
// which they were added. But releases come first, in order of processor number: processors add them
// between two events of the nodes, in an order that depends on the engine.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/nodes/message.h"

namespace symsim {

struct NodeStep {
    enum class What : std::uint8_t {
        released,      // a processor has unlocked a line of message.block
        path_taken,    // the processor's request begins to use its way to the node
        arrived,       // the processor's request is at its node's controller
        written_back,  // the same, of a write-back of the line message.block
        hop,           // the message is at the ring interface of the node `node`
        delivered,     // the message is at its destination
        data_ready,    // the reply for the processor can use its way
        looked_up,     // the home of message.block has read directory and memory
        replied,       // the reply is at the processor
        finished,      // the processor has made its access; others may have the line
    };
    Time at = 0;
    std::uint64_t order = 0;
    What what = What::arrived;
    NodeId node = 0;
    Message message;  // of events of a processor: only its port, and where named the block
};

class StepQueue {
  public:
    Time next() const { return steps_.empty() ? kNever : steps_.front().at; }

    void add(Time at, NodeStep::What what, const Message& message, NodeId node = 0) {
        add_with_order(at, kFirstOrder + added_++, what, message, node);
    }
    // A release, from outside an event.
    void add_release(Time at, const Message& message, NodeId node) {
        add_with_order(at, message.port, NodeStep::What::released, message, node);
    }
    NodeStep take() {
        std::pop_heap(steps_.begin(), steps_.end(), later);
        const NodeStep first = steps_.back();
        steps_.pop_back();
        return first;
    }

    const std::vector<NodeStep>& all() const { return steps_; }

  private:
    static constexpr std::uint64_t kFirstOrder = kMaxProcessors;

    static bool later(const NodeStep& a, const NodeStep& b) {
        if (a.at != b.at) return a.at > b.at;
        if (a.order != b.order) return a.order > b.order;
        return a.message.block > b.message.block;  // two releases of one processor
    }
    void add_with_order(Time at, std::uint64_t order, NodeStep::What what, const Message& message,
                        NodeId node) {
        steps_.push_back({at, order, what, node, message});
        std::push_heap(steps_.begin(), steps_.end(), later);
    }

    std::vector<NodeStep> steps_;  // a heap, the next event first
    std::uint64_t added_ = 0;
};

}  // namespace symsim
