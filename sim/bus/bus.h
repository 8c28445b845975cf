// SPDX-License-Identifier: MIT
// The System Bus of the Symmetry. It connects the caches of all processors with memory and devices.
// One request or reply uses the bus at a time, and each use begins at an edge of the bus clock.
//
// Calls (interconnect.h). The events of the bus are edges of its clock: advance() grants one
// request or puts one reply on the bus.
//
// Split transactions. A read occupies the bus for its request, and again for its reply. In between,
// while memory works, other transactions use the bus. A store has no reply: it occupies the bus
// once, for address and data. A read of a 16-byte line on an idle bus, with the values of
// configs/machines/symmetry-a.toml, takes 8 cycles from the edge that sees the request:
//
//     cycle         1          2        3   4   5      6   7          8
//               arbitrate   request      memory         reply    synchronise
//     bus          free       busy        free          busy        free
//
// Occupancy is how long a transaction keeps others off the bus. Completion is when its requester
// may continue; the requester's port computes it from the grant. The two are separate numbers.
//
// Parts. The bus conducts its parts, each with its own rules:
//   - arbiter.h          who is granted next
//   - candidates.h       the oldest requests, and what keeps them from being granted
//   - pending_replies.h  replies that wait for the bus; they go before all requests (the bus's high
//                        slot class)
//   - address_locks.h, lines_in_transit.h, write_backs.h, snoops.h (sim/interconnect/)
//   - memory_controllers.h
//
// Eligibility. A request can be granted from the first edge strictly later than its posting, plus
// arbitration_cycles.
//
// Blocked requests. A request for a line that another port has locked does not use the bus. The
// option `locked_request` says what the arbiter does with it. Under hold_bus the blocked request
// that has waited longest holds the bus: the time is reported as bus time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/options.h"
#include "sim/base/processor_set.h"
#include "sim/base/saved_state.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/bus/arbiter.h"
#include "sim/bus/bus_config.h"
#include "sim/bus/candidates.h"
#include "sim/bus/pending_replies.h"
#include "sim/events/observer.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/request_queue.h"
#include "sim/interconnect/snoops.h"
#include "sim/interconnect/write_backs.h"

namespace symsim {

class Bus final : public Interconnect {
  public:
    Bus(const BusConfig& config, Memory& memory, CodePageWatch& code, DeviceSpace& devices,
        Observer& observer);

    void attach(Port& port) override;
    // Where a lock of another port blocks all requests (LockedRequest::hold_bus), this port may
    // still use the bus.
    void lock_in_cache(ProcessorId port, Address line, Time at) override;
    void release(ProcessorId port, Address line, bool on_bus, Time at) override;
    // Grants one request or puts one reply on the bus, if possible.
    void advance(Time at) override;
    Time last_grant() const override { return last_grant_; }
    Time free_at() const override { return free_at_; }
    // Reports the time for which a blocked request has held the bus.
    void close(Time end) override {
        if (candidates_.locks.all_held()) report_hold(end);
    }

    void save_state(cereal::PortableBinaryOutputArchive& archive) override;
    void load_state(LoadArchive& archive) override;
    // Sets that follow from the rest are in a checkpoint too, and must agree.
    template <class Archive>
    void serialize(Archive& archive) {
        std::vector<SavedQueue> queues;
        for (ProcessorId p = 0; p < ports_.size(); ++p)
            queues.push_back({candidates_.requests.eligible(p), ports_[p].queue});
        ProcessorSet pending = candidates_.requests.pending();
        ProcessorSet writing_back = write_backs_.ports();
        ProcessorSet blocked = candidates_.locks.blocked();
        archive(snoops_, queues, pending, writing_back, blocked, arbiter_, free_at_, next_event_,
                last_edge_);
        arbiter_.serialize_kept_turn(archive);
        archive(last_grant_, held_until_, replies_, candidates_.locks, candidates_.lines,
                candidates_.memory);
        require(queues.size() == ports_.size(), "it has {} bus ports", queues.size());
        restore(queues);
        require(pending == candidates_.requests.pending(), "ports {} request the bus",
                pending.text());
        require(writing_back == write_backs_.ports(), "ports {} write back", writing_back.text());
        require(blocked == candidates_.locks.blocked(), "ports {} are blocked", blocked.text());
    }
    void check_loaded(Time at) const override;
    std::vector<Request> awaited_replies(ProcessorId port) const override;
    bool holds_lock(ProcessorId port, Address line, bool on_bus) const override {
        return candidates_.locks.holds(port, line, on_bus);
    }
    std::size_t locks_of(ProcessorId port) const override { return candidates_.locks.count(port); }
    bool may_hold(ProcessorId port, Address line) const override {
        return snoops_.may_hold(port, line);
    }

  private:
    // A port's requests as a checkpoint has them.
    struct SavedQueue {
        Time eligible = kNever;
        RequestQueue queue;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(eligible, queue);
        }
    };

    // The port's queue has a new oldest request.
    void on_new_head(ProcessorId port) {
        const Request& request = head(port);
        const Address line = line_of(request.address);
        candidates_.requests.set(port, request.kind, line,
                                 clock_.edge_after(request.posted) + arbitration_time_);
        candidates_.locks.requested(port, line);
    }
    // The port's oldest request has left its queue.
    void on_head_removed(ProcessorId port) {
        arbiter_.request_gone(port);
        if (!ports_[port].queue.empty()) return on_new_head(port);
        candidates_.requests.clear(port);
        candidates_.locks.no_request(port);
    }
    // Whether a port other than `destination` has a write-back of the line in its queue. If so, the
    // write-back supplies the line and is removed.
    bool supply_from_write_back(ProcessorId destination, Address line);
    void take_from_others(ProcessorId port, const Request& request, Time at);

    void arbitrate(Time at);
    bool grant(ProcessorId port, Time at);
    void reply(Time at);
    void report_use(ProcessorId port, const Request& request, Time at, Time occupancy_time,
                    Time posted, bool reply);
    void report_hold(Time until);
    void perform(ProcessorId port, const Request& request, Time at);
    void end_lock(ProcessorId port, Address address, Time at);
    void write_memory(ProcessorId port, const Request& request, Time at);
    void read_memory(ProcessorId port, const Request& request, Time at);
    void access_device(ProcessorId port, const Request& request, Time at);
    void write(ProcessorId port, const Request& request, Time at);
    void write_code(ProcessorId port, const Request& request, Time at);
    void on_head_posted(ProcessorId port) override;
    void on_write_back_posted(ProcessorId port) override;
    void on_head_withdrawn(ProcessorId port) override { on_head_removed(port); }
    void lock(ProcessorId owner, Address line, bool on_bus);
    void unlock(ProcessorId owner, Address line, bool on_bus);
    void restore(const std::vector<SavedQueue>& queues);
    void check_loaded(const Request& request, Time at) const;
    void check_loaded_queue(ProcessorId port, Time at) const;
    void check_loaded_replies(Time at) const;
    void check_loaded_edges(Time at) const;
    Address line_of(Address address) const { return address & ~(config_.line_bytes - 1); }
    void reschedule_edge(Time at);
    void fix_occupancies();
    Time occupancy(const Request& request) const {
        const Time without_data = occupancies_[index(request.kind)];
        if (request.ends_lock) return without_data + occupancies_[index(TransactionKind::unlock)];
        if (request.kind != TransactionKind::write_back) return without_data;
        return without_data + data_time(request.size);
    }
    Time data_time(unsigned bytes) const {
        return clock_.cycles((bytes + config_.width_bytes - 1) >> width_shift_);
    }
    // The next edge after `at` at which the bus has something to do, not before the edge `soonest`;
    // or kNever.
    Time find_next_edge(Time at, Time soonest) const;
    bool used_at(Time soonest) const;
    Time earliest_use(Time soonest) const;
    Time earliest_use_with_waits(Time at, Time soonest) const;

    BusConfig config_;
    Clock clock_;
    DeviceSpace& devices_;
    Observer& observer_;
    Arbiter arbiter_;
    Candidates candidates_;
    WriteBacks write_backs_;
    PendingReplies replies_;
    Snoops snoops_;

    Time arbitration_time_;
    unsigned width_shift_;                             // log2 of config_.width_bytes
    std::array<Time, kTransactionKinds> occupancies_;  // of requests; write-back: without its data

    ProcessorSet deciding_;  // ports whose needs() is called before a store is granted
    Time free_at_ = 0;       // when the current use of the bus ends
    Time last_edge_ = -1;
    Time last_grant_ = -1;
    Time held_until_ = 0;  // blocked requests have been reported to hold the bus up to here
};

}  // namespace symsim
