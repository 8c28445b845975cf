// SPDX-License-Identifier: MIT
// The arbiter of the bus: which of the requests that can be granted is granted next. The owner of a
// lock goes first, so that its locked instruction is carried to completion. Then ports take turns:
// the rotation starts with the port after the last one that was granted in turn. Options
// (Arbitration, LockedClass, LockedRequest) select other orders.
//
// Source: Sequent's register definitions in the Mach 3.0 kernel (directory sqt: slicreg.h, bic.h,
// clkarb.h).
#pragma once

#include "sim/base/options.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

class Arbiter {
  public:
    explicit Arbiter(const InterconnectConfig& config)
        : arbitration_(config.arbitration),
          locked_class_(config.locked_class),
          locked_request_(config.locked_request),
          in_other_order_(config.arbitration == Arbitration::oldest ||
                          config.locked_class == LockedClass::low) {}

    // Chooses the port to grant at `at`, or kNobody. `at` does not decrease from call to call.
    [[gnu::always_inline]] ProcessorId choose(Candidates& candidates, Time at) {
        candidates.requests.come_to(at);
        const ProcessorSet refused = candidates.memory.refused(at);
        const ProcessorSet accepted = candidates.requests.eligible_ports() - refused;
        const ProcessorId owner = choose_lock_owner(candidates, accepted, at);
        if (owner != kNobody) return owner;
        const ProcessorSet requesting =
            keeps_turn() ? accepted : accepted - candidates.locks.blocked();
        if (in_other_order_) return choose_in_other_order(candidates, requesting, refused, at);
        return choose_in_turn(candidates, requesting, refused, at);
    }
    // The port's oldest request has been granted or withdrawn.
    void request_gone(ProcessorId port) { passed_over_.remove(port); }
    // A lock has begun or ended: the turn that was kept for it may continue.
    void locks_changed() { turn_kept_at_ = -1; }

    // The port that is next in the rotation.
    ProcessorId turn() const { return turn_; }
    // Whether the arbiter kept a turn at `at` for a request for a locked line: then the requests
    // that were eligible at `at` wait for the unlock.
    bool kept_turn(Time at) const { return turn_kept_at_ == at; }

  private:
    // The functions below choose among ports whose requests are eligible, and accepted by memory.
    ProcessorId choose_lock_owner(const Candidates& candidates, ProcessorSet accepted,
                                  Time at) const {
        if ((accepted & candidates.locks.owners()).empty()) return kNobody;
        ProcessorId owner = kNobody;
        candidates.locks.for_each_owner([&](ProcessorId port) {
            if (accepted.contains(port) && candidates.may_be_granted(port, at)) owner = port;
            return owner != kNobody;
        });
        return owner;
    }
    [[gnu::always_inline]] ProcessorId choose_in_turn(const Candidates& candidates,
                                                      ProcessorSet requesting, ProcessorSet refused,
                                                      Time at) {
        if (!(passed_over_ & requesting).empty()) {
            const ProcessorId port = choose_oldest(candidates, passed_over_ & requesting, at);
            if (port != kNobody) return port;
        }
        const ProcessorId first = arbitration_ == Arbitration::round_robin ? turn_ : 0;
        for (const ProcessorId port : requesting.in_turn(first)) {
            if (candidates.may_be_granted(port, at)) {
                pass_over(candidates, refused, port);
                turn_ = (port + 1) % kMaxProcessors;
                return port;
            }
            if (keeps_turn()) {
                // The port keeps its turn, and the ports after it in the rotation wait with it.
                if (candidates.locks.blocked().contains(port)) turn_kept_at_ = at;
                return kNobody;
            }
        }
        return kNobody;
    }
    ProcessorId choose_in_other_order(const Candidates& candidates, ProcessorSet requesting,
                                      ProcessorSet refused, Time at);
    ProcessorId choose_oldest(const Candidates& candidates, ProcessorSet requesting, Time at) const;
    // `port` is granted in turn. Notes the eligible requests that it passes over: those that memory
    // refuses, which would else lose their turns again and again, and with LockedRequest::bypass
    // those that a lock blocks.
    void pass_over(const Candidates& candidates, ProcessorSet refused, ProcessorId port) {
        const ProcessorSet& blocked = candidates.locks.blocked();
        ProcessorSet passed = refused | blocked;
        if (passed.empty() || arbitration_ != Arbitration::round_robin) return;
        if (keeps_turn())
            passed = refused;
        else if (locked_request_ != LockedRequest::bypass)
            passed -= blocked;
        passed_over_ |= passed & candidates.requests.eligible_ports() &
                        ProcessorSet::places_before(port, turn_);
    }
    // Whether the port comes before the other one in the rotation.
    bool is_sooner(ProcessorId port, ProcessorId other) const {
        return ProcessorSet::place_in_turn(port, turn_) < ProcessorSet::place_in_turn(other, turn_);
    }
    bool keeps_turn() const { return locked_request_ == LockedRequest::keep_turn; }

    Arbitration arbitration_;
    LockedClass locked_class_;
    LockedRequest locked_request_;
    bool in_other_order_;       // than in turn: by age or by slot classes
    ProcessorSet passed_over_;  // ports with a request that was passed over in its turn
    ProcessorId turn_ = 0;
    Time turn_kept_at_ = -1;  // the edge at which a turn was kept for a locked line
};

}  // namespace symsim
