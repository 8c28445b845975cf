// SPDX-License-Identifier: MIT
// The oldest request of each port: what an interconnect asks about it most often, in arrays of its
// own. The request itself is the first of the port's queue.
#pragma once

#include <array>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

class OldestRequests {
  public:
    OldestRequests() { eligible_.fill(kNever); }

    // The port has a new oldest request, which can be granted from `eligible` on.
    void set(ProcessorId port, TransactionKind kind, Address line, Time eligible) {
        pending_.add(port);
        kinds_[port] = kind;
        lines_[port] = line;
        eligible_[port] = eligible;
    }
    // The port has no request any more.
    void clear(ProcessorId port) {
        pending_.remove(port);
        eligible_[port] = kNever;
    }

    // Ports that have a request.
    const ProcessorSet& pending() const { return pending_; }
    Time eligible(ProcessorId port) const { return eligible_[port]; }  // kNever without a request
    // Of a port that has a request.
    TransactionKind kind(ProcessorId port) const { return kinds_[port]; }
    Address line(ProcessorId port) const { return lines_[port]; }

  private:
    std::array<Time, kMaxProcessors> eligible_;
    std::array<Address, kMaxProcessors> lines_{};
    std::array<TransactionKind, kMaxProcessors> kinds_{};
    ProcessorSet pending_;
};

}  // namespace symsim
