// SPDX-License-Identifier: MIT
// The oldest request of each port: what an interconnect asks about it most often, in arrays of its
// own. The request itself is the first of the port's queue.
//
// A request that is not eligible yet is ahead: its processor has posted it speculatively, or it has
// just been posted. Most requests on a busy interconnect wait and are not ahead, and which those
// are is a set. So only the few ahead need to be looked at one by one.
#pragma once

#include <algorithm>
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
        ahead_.add(port);
        soonest_ahead_ = std::min(soonest_ahead_, eligible);
        kinds_[port] = kind;
        lines_[port] = line;
        eligible_[port] = eligible;
    }
    // The port has no request any more.
    void clear(ProcessorId port) {
        pending_.remove(port);
        ahead_.remove(port);
        eligible_[port] = kNever;
    }
    // From now on ahead() has only requests that become eligible after `at`. Times do not decrease
    // from call to call.
    void come_to(Time at) {
        if (soonest_ahead_ > at) return;
        soonest_ahead_ = kNever;
        for (const ProcessorId port : ahead_)
            if (eligible_[port] <= at)
                ahead_.remove(port);
            else
                soonest_ahead_ = std::min(soonest_ahead_, eligible_[port]);
    }

    // Ports that have a request.
    const ProcessorSet& pending() const { return pending_; }
    // Of them, those whose requests are eligible at the time of the last come_to().
    ProcessorSet eligible_ports() const { return pending_ - ahead_; }
    // The others: their requests are not eligible then, or newer than that call. None of these is
    // eligible before soonest_ahead().
    const ProcessorSet& ahead() const { return ahead_; }
    Time soonest_ahead() const { return soonest_ahead_; }
    Time eligible(ProcessorId port) const { return eligible_[port]; }  // kNever without a request
    // Of a port that has a request.
    TransactionKind kind(ProcessorId port) const { return kinds_[port]; }
    Address line(ProcessorId port) const { return lines_[port]; }

  private:
    std::array<Time, kMaxProcessors> eligible_;
    std::array<Address, kMaxProcessors> lines_{};
    std::array<TransactionKind, kMaxProcessors> kinds_{};
    ProcessorSet pending_;
    ProcessorSet ahead_;
    Time soonest_ahead_ = kNever;
};

}  // namespace symsim
