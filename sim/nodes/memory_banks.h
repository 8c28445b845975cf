// SPDX-License-Identifier: MIT
// The memory of the nodes: banks, interleaved by address, that are busy for some time with each
// access. The network cache is in the same memory.
#pragma once

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/nodes/message.h"
#include "sim/nodes/nodes_config.h"
#include "sim/nodes/resources.h"

namespace symsim {

class MemoryBanks {
  public:
    MemoryBanks(const InterconnectConfig& config, Resources& resources)
        : resources_(resources),
          banks_(config.memory.controllers),
          interleave_bytes_(config.memory.interleave_bytes),
          latency_(Clock(config.period()).cycles(config.memory.latency_cycles)),
          read_busy_(Clock(config.period()).cycles(config.memory.read_busy_cycles)),
          write_busy_(Clock(config.period()).cycles(config.memory.store_busy_cycles)) {}

    // The memory of this node is read for the message's transaction. Returns when the data are
    // there.
    Time read(NodeId node, const Message& cause, Time now) {
        return access(node, cause, now, read_busy_) + latency_;
    }
    // It is written; nothing waits for that.
    void write(NodeId node, const Message& cause, Time now) {
        access(node, cause, now, write_busy_);
    }

  private:
    // Returns when the access begins.
    Time access(NodeId node, const Message& cause, Time now, Time busy) {
        if (busy == 0) return now;
        const unsigned bank = cause.block / interleave_bytes_ % banks_;
        return resources_.use(resources_.bank(node, bank), now, busy, use_of(cause, now));
    }

    Resources& resources_;
    unsigned banks_;
    std::uint32_t interleave_bytes_;
    Time latency_, read_busy_, write_busy_;
};

}  // namespace symsim
