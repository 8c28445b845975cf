// SPDX-License-Identifier: MIT
// The oldest request of each port: what an interconnect asks about it most often, in arrays of its
// own. The request itself is the first of the port's queue.
//
// The requests are also a list in the order in which they become eligible. Those that are not
// eligible yet are its end: a processor may post requests speculatively, for a later time. New
// requests are inserted by searching from the end, which takes few steps.
//
//     first                         first_ahead
//     |                             |
//     waits longest ... just waits  eligible soon ... eligible last
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

class OldestRequests {
  public:
    OldestRequests() {
        eligible_.fill(kNever);
        after_[kNobody] = before_[kNobody] = kNobody;
    }

    // The port has a new oldest request, which can be granted from `eligible` on.
    void set(ProcessorId port, TransactionKind kind, Address line, Time eligible) {
        if (pending_.contains(port)) unlink(port);
        pending_.add(port);
        ahead_.set(port, eligible > now_);
        kinds_[port] = kind;
        lines_[port] = line;
        eligible_[port] = eligible;
        link(port);
    }
    // The port has no request any more.
    void clear(ProcessorId port) {
        if (!pending_.contains(port)) return;
        unlink(port);
        pending_.remove(port);
        ahead_.remove(port);
        eligible_[port] = kNever;
    }
    // The requests that are eligible at `at` are not ahead any more. Times do not decrease from
    // call to call.
    void come_to(Time at) {
        now_ = at;
        for (; eligible_[first_ahead_] <= at; first_ahead_ = after_[first_ahead_])
            ahead_.remove(first_ahead_);
    }

    // Ports that have a request.
    const ProcessorSet& pending() const { return pending_; }
    // Of them, those whose requests are eligible at the time of the last come_to(), and the others.
    ProcessorSet eligible_ports() const { return pending_ - ahead_; }
    const ProcessorSet& ahead() const { return ahead_; }
    Time eligible(ProcessorId port) const { return eligible_[port]; }  // kNever without a request
    // Of a port that has a request.
    TransactionKind kind(ProcessorId port) const { return kinds_[port]; }
    Address line(ProcessorId port) const { return lines_[port]; }

    // Ports in the order in which their requests become eligible; kNobody is after the last one.
    ProcessorId first() const { return after_[kNobody]; }
    ProcessorId first_ahead() const { return first_ahead_; }
    ProcessorId after(ProcessorId port) const { return after_[port]; }

  private:
    void link(ProcessorId port) {
        const Time eligible = eligible_[port];
        ProcessorId before = before_[kNobody];
        while (before != kNobody && eligible_[before] > eligible) before = before_[before];
        const ProcessorId after = after_[before];
        after_[port] = static_cast<std::uint8_t>(after);
        before_[port] = static_cast<std::uint8_t>(before);
        after_[before] = before_[after] = static_cast<std::uint8_t>(port);
        if (after == first_ahead_ && eligible > now_) first_ahead_ = port;
    }
    void unlink(ProcessorId port) {
        const std::uint8_t before = before_[port];
        const std::uint8_t after = after_[port];
        after_[before] = after;
        before_[after] = before;
        if (port == first_ahead_) first_ahead_ = after;
    }

    // One place more than ports: kNobody is before the first port of the list and after the last.
    std::array<Time, kMaxProcessors + 1> eligible_;
    std::array<std::uint8_t, kMaxProcessors + 1> after_{}, before_{};
    std::array<Address, kMaxProcessors> lines_{};
    std::array<TransactionKind, kMaxProcessors> kinds_{};
    ProcessorSet pending_;
    ProcessorSet ahead_;
    ProcessorId first_ahead_ = kNobody;
    Time now_ = -1;  // of the last come_to()
};
static_assert(kNobody == kMaxProcessors && kNobody <= 0xff);

}  // namespace symsim
