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
// Arbitration. Replies go first (the bus's high slot class), then the owner of a lock, then the
// other ports in turn. Turns are by round robin, the hardware's default, or by fixed priority. Each
// port's requests are granted in order. Source: Sequent's register definitions in the Mach 3.0
// kernel (directory sqt: slicreg.h, bic.h, clkarb.h).
//
// Eligibility. A request can be granted from the first edge strictly later than its posting, plus
// arbitration_cycles. So nothing at an edge depends on what processors do at the same time, nor on
// the order in which they are simulated.
//
// Effect. All that a transaction does to memory and to other caches happens at its grant. First
// other caches snoop the transaction, then memory is written.
//
// Address locks. A locked instruction locks one line, not the bus, from the grant of its locked
// read to the grant of its unlock. Requests of other ports for that line are blocked before they
// use the bus:
//
//     port 0   locked read ...... locked store ...... unlock
//     line     |<------------------ locked ---------->|
//     port 1        posts a read: blocked ............. granted
//
// The option `locked_request` says what the arbiter does with a blocked request. Under hold_bus the
// blocked request that has waited longest holds the bus: the time is reported as bus time.
//
// Lines in transit. Where a line can have an owner (write-back protocol), the bus restricts access
// to a line that is in transit to a port:
//   - Other ports may read a line that is in transit to a reader. No port can take the line before
//     the reader has used it.
//   - A line that changes owner, or that an owner supplies, goes to no other port before it has
//     arrived.
//   - A port's store is granted only when all lines in transit to that port have arrived.
//
// Write-backs. A write-back goes to the front of its port's queue. While the write-back waits, it
// supplies the line to any other port that reads it. Memory gets the line with that reply, and the
// write-back is dropped.
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
#include "sim/bus/bus_config.h"
#include "sim/bus/memory_controllers.h"
#include "sim/bus/snoop_filter.h"
#include "sim/events/observer.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/request.h"

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
        if (bus_locked_) report_hold(end);
    }

    void save_state(cereal::PortableBinaryOutputArchive& archive) override;
    void load_state(LoadArchive& archive) override;
    template <class Archive>
    void serialize(Archive& archive) {
        std::vector<SavedQueue> requesting;
        for (ProcessorId p = 0; p < ports_.size(); ++p)
            requesting.push_back({eligible_[p], ports_[p].queue});
        archive(snoop_filter_, requesting, pending_, writing_back_, blocked_, passed_over_, turn_,
                free_at_, next_event_, last_edge_, turn_kept_at_, last_grant_, held_until_,
                pending_replies_, locks_, owners_, unavailable_, controllers_);
        require(requesting.size() == ports_.size(), "it has {} bus ports", requesting.size());
        for (ProcessorId p = 0; p < ports_.size(); ++p) {
            eligible_[p] = requesting[p].eligible;
            ports_[p].queue = requesting[p].queue;
            lines_[p] = line_of(head(p).address);
        }
        note_bus_locked();
        note_all_unavailable();
        note_all_write_backs();
    }
    void check_loaded(Time at) const override;
    std::vector<Request> awaited_replies(ProcessorId port) const override;
    bool holds_lock(ProcessorId port, Address line, bool on_bus) const override {
        return std::any_of(locks_.begin(), locks_.end(), [=](const Lock& lock) {
            return lock.owner == port && lock.line == line && lock.on_bus == on_bus;
        });
    }
    std::size_t locks_of(ProcessorId port) const override {
        return static_cast<std::size_t>(std::count_if(
            locks_.begin(), locks_.end(), [=](const Lock& lock) { return lock.owner == port; }));
    }
    bool may_hold(ProcessorId port, Address line) const override {
        return !config_.filter_snoops || snoop_filter_.of(line).contains(port);
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
    // A granted read whose reply is not on the bus yet.
    struct PendingReply {
        Time ready;
        ProcessorId port;
        std::uint32_t io_value;
        Request request;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(ready, port, io_value, request);
        }
    };
    struct Lock {
        ProcessorId owner;
        Address line;
        bool on_bus;  // begun by a locked read, not by lock_in_cache()

        template <class Archive>
        void serialize(Archive& archive) {
            archive(owner, line, on_bus);
        }
    };
    static constexpr ProcessorId kNobody = kMaxProcessors;
    // A line that ports other than `destination` cannot have before `until`: it is in transit to
    // `destination`, or has just been unlocked (line_unavailable_cycles).
    struct Unavailable {
        Address line;
        Time until;               // kNever: not known before the line's reply
        ProcessorId destination;  // the port that the line is in transit to, or kNobody
        bool to_takers_only;      // other ports may read the line meanwhile, but not take it
        Time arrives;             // at `destination`; kNever: not known before the line's reply

        template <class Archive>
        void serialize(Archive& archive) {
            archive(line, until, destination, to_takers_only, arrives);
            require(destination <= kNobody, "a line is in transit to port {}", destination);
        }
    };

    void arbitrate(Time at);
    ProcessorId choose(Time at);
    ProcessorId choose_in_turn(ProcessorSet requesting, Time at);
    ProcessorId choose_in_other_order(ProcessorSet requesting, Time at);
    ProcessorId choose_oldest(ProcessorSet requesting, Time at) const;
    ProcessorSet locked_readers(ProcessorSet requesting) const;
    ProcessorId choose_passed_over(ProcessorSet requesting, Time at) const;
    void pass_over(ProcessorSet refused, ProcessorId port, Time at);
    bool grant(ProcessorId port, Time at);
    void reply(Time at);
    void reply_later(ProcessorId port, const Request& request, Time ready, std::uint32_t io_value);
    void report_use(ProcessorId port, const Request& request, Time at, Time occupancy_time,
                    Time posted, bool reply);
    void report_hold(Time until);
    void note_bus_locked();
    void perform(ProcessorId port, const Request& request, Time at);
    void end_lock(ProcessorId port, Address address, Time at);
    void write_memory(ProcessorId port, const Request& request, Time at);
    void read_memory(ProcessorId port, const Request& request, Time at);
    void access_device(ProcessorId port, const Request& request, Time at);
    void write(ProcessorId port, const Request& request, Time at);
    void write_code(ProcessorId port, const Request& request, Time at);
    bool changes_memory(const Request& request) const;
    void on_head_posted(ProcessorId port) override;
    void on_write_back_posted(ProcessorId port) override;
    void on_head_withdrawn(ProcessorId port) override { on_head_removed(port); }
    // The port's queue has a new oldest request: notes its line, whether a lock blocks it, and when
    // it becomes eligible.
    void on_new_head(ProcessorId port) {
        pending_.add(port);
        lines_[port] = line_of(head(port).address);
        if (!locks_.empty()) block_if_locked(port);
        eligible_[port] = clock_.edge_after(head(port).posted) + arbitration_time_;
    }
    // The port's oldest request has left its queue.
    void on_head_removed(ProcessorId port) {
        passed_over_.remove(port);
        if (!ports_[port].queue.empty()) return on_new_head(port);
        pending_.remove(port);
        blocked_.remove(port);
        eligible_[port] = kNever;
    }
    void block_if_locked(ProcessorId port);
    // Under hold_bus a lock on the bus does not block ports that own a lock themselves. Otherwise
    // the owner of a lock on the bus and the owner of a lock in its cache could wait for each
    // other.
    bool blocked_by_lock(ProcessorId port) const {
        for (const Lock& lock : locks_) {
            if (lock.owner == port) continue;
            if (lock.line == lines_[port]) return true;
            if (lock.on_bus && config_.locked_request == LockedRequest::hold_bus &&
                !owns_lock(port))
                return true;
        }
        return false;
    }
    void lock(ProcessorId owner, Address line, bool on_bus);
    void block_all_locked();
    bool locks_concern_all() const {
        return !config_.filter_snoops || config_.locked_request == LockedRequest::hold_bus;
    }
    // When the line of the port's oldest request becomes available to it: 0 if it is available at
    // `at`, kNever if the time is not known yet.
    Time unavailable_until(ProcessorId port, Time at) const {
        return may_be_unavailable(port) ? find_unavailable(port, at) : 0;
    }
    // A cheap test: false if the line is certainly available.
    bool may_be_unavailable(ProcessorId port) const {
        return !unavailable_.empty() &&
               (in_transit_to_.contains(port) || (unavailable_slots_ & slot_of(lines_[port])));
    }
    Time find_unavailable(ProcessorId port, Time at) const;
    void make_unavailable(const Unavailable& line) {
        unavailable_.push_back(line);
        note_unavailable(line);
    }
    // Adds an entry of unavailable_ to the sets of may_be_unavailable(). Most requested lines are
    // available, and the sets show it without a search of unavailable_.
    void note_unavailable(const Unavailable& line) {
        if (line.destination != kNobody) in_transit_to_.add(line.destination);
        unavailable_slots_ |= slot_of(line.line);
    }
    void note_all_unavailable();
    void check_loaded(const Request& request, Time at) const;
    void check_loaded_queue(ProcessorId port, Time at) const;
    void check_loaded_locks() const;
    void check_loaded_replies(Time at) const;
    void check_loaded_lines(Time at) const;
    void check_loaded_edges(Time at) const;
    void mark_in_transit(ProcessorId port, const Request& request, bool from_owner, Time at);
    void arrived(ProcessorId port, Address line, Time at, Time others_from);
    void write_back_gone(ProcessorId port, Address line);
    void note_all_write_backs();
    // Whether a port other than `destination` has a write-back of the line in its queue. If so, the
    // write-back supplies the line and is removed.
    bool supply_from_write_back(ProcessorId destination, Address line) {
        return write_backs_[slot_number(line)] > 0 && find_write_back(destination, line);
    }
    bool find_write_back(ProcessorId destination, Address line);
    void forget_available(Time at);
    bool may_be_granted(ProcessorId port, Time at) const {
        return !blocked_.contains(port) && unavailable_until(port, at) == 0 &&
               !refused_by_memory(port, at);
    }
    // Whether the memory controller of the port's oldest request is too busy to accept it.
    bool refused_by_memory(ProcessorId port, Time at) const {
        return controllers_.may_refuse(at) && controllers_.accepts_from(head(port)) > at;
    }
    bool keeps_turn() const { return config_.locked_request == LockedRequest::keep_turn; }
    // The ports that must snoop the request.
    ProcessorSet snoopers(ProcessorId port, const Request& request) const {
        const ProcessorSet others = watching_[index(request.kind)].without(port);
        if (others.empty() || !config_.filter_snoops) return others;
        return others & snoop_filter_.of(request.address);
    }
    Snooped snoop(ProcessorSet others, const Request& request, Time at);
    Snooped snoop_read(ProcessorId port, const Request& request, Time at);
    void snoop_installed(ProcessorId port, Request request, Time at);
    Address line_of(Address address) const { return address & ~(config_.line_bytes - 1); }
    // The slot of a line is its number modulo 64. Lines in different slots differ: a cheap test
    // that usually suffices.
    static constexpr unsigned kSlots = 64;
    unsigned slot_number(Address address) const {
        return (address >> snoop_filter_.line_shift()) % kSlots;
    }
    std::uint64_t slot_of(Address address) const {
        return std::uint64_t{1} << slot_number(address);
    }
    bool owns_lock(ProcessorId port) const { return owners_.contains(port); }
    void unlock(ProcessorId port, Address line, bool on_bus);
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
    SnoopFilter snoop_filter_;
    DeviceSpace& devices_;
    Observer& observer_;
    MemoryControllers controllers_;

    bool in_other_order_;  // than in turn: by age or by slot classes
    Time arbitration_time_;
    unsigned width_shift_;                             // log2 of config_.width_bytes
    std::array<Time, kTransactionKinds> occupancies_;  // of requests; write-back: without its data

    std::array<Time, kMaxProcessors> eligible_;  // when each port's oldest request can be granted
    std::array<Address, kMaxProcessors> lines_;  // the line of each port's oldest request
    ProcessorSet pending_;                       // ports whose queue is not empty
    ProcessorSet blocked_;       // of pending_: ports blocked by another port's lock
    ProcessorSet passed_over_;   // of pending_: granted before the turn of others (bus_order)
    ProcessorSet writing_back_;  // of pending_: ports with a write-back in their queue
    ProcessorSet deciding_;      // ports whose needs() is called before a store is granted
    // Snoops are filtered, and Port::reads_become_silent() is true for all ports.
    bool reads_become_silent_ = false;
    std::array<ProcessorSet, kTransactionKinds> watching_;  // ports that snoop each kind
    ProcessorId turn_ = 0;                                  // the port that is next in the rotation
    Time free_at_ = 0;                                      // when the current use of the bus ends
    Time last_edge_ = -1;
    Time turn_kept_at_ = -1;  // the edge at which the arbiter kept a turn for a locked line
    Time last_grant_ = -1;
    bool bus_locked_ = false;  // a lock on the bus blocks all requests (LockedRequest::hold_bus)
    Time held_until_ = 0;      // blocked requests have been reported to hold the bus up to here
    // The next reply is last. Among replies that are ready at the same time, the first granted
    // goes first.
    std::vector<PendingReply> pending_replies_;
    std::vector<Lock> locks_;
    ProcessorSet owners_;  // ports that own a lock in locks_
    std::vector<Unavailable> unavailable_;
    ProcessorSet in_transit_to_;                       // ports that lines are in transit to
    std::uint64_t unavailable_slots_ = 0;              // slots of lines in unavailable_
    std::array<std::uint32_t, kSlots> write_backs_{};  // waiting write-backs of each slot's lines
};

}  // namespace symsim
