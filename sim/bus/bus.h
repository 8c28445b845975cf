// SPDX-License-Identifier: MIT
// The System Bus: one resource that requests, stores and replies take turns on.
//
// Transactions are split. A read holds the bus for its request, lets others on while memory works,
// and holds it again for its reply; a store holds it for address and data and is done with. What
// a transaction *holds* is its occupancy; when its requester may *go on* is completion, which the
// ports reckon from the grant. Replies come before requests (the bus's high slot class), requests
// take turns by round robin (hardware.md 1.2).
//
// An address lock holds a line, not the bus, from a locked read to the unlock. Requests of others
// for that line are held off before they use the bus; how the arbiter treats them is an option.
//
// Where a line can have an owner (write-back), the bus also keeps a line to itself while it is on
// its way: nobody takes it before a reader has it, and nobody gets it before a new owner has it;
// and a port's stores are made one behind the other, when the line of the one before is there.
//
// What a port copies back goes before its other requests. A line that waits for its copy-back is
// still supplied from there, and needs it no more.
//
// All that a transaction does to memory and to other caches it does at its grant. A request is
// eligible at the first edge strictly later than its posting (plus arbitration), so that nothing
// at an edge depends on what processors do at that same time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/bus/request_queue.h"
#include "sim/bus/snoop_filter.h"
#include "sim/events/observer.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/request.h"

namespace symsim {

struct Config;

// Made by bus_config() from the keys of the config, and in no other way: a default here would be a
// second one beside the key's.
struct BusConfig {
    Time clock_period;
    std::uint32_t line_bytes;
    std::uint32_t width_bytes;
    std::uint32_t arbitration_cycles;
    std::uint32_t request_cycles;
    std::uint32_t store_cycles;
    std::uint32_t unlock_cycles;
    std::uint32_t synchronise_cycles;
    std::uint32_t memory_latency_cycles;
    std::uint32_t line_unavailable_cycles;
    std::uint32_t owner_supply_cycles;
    bool lines_have_owners;
    LockedRequest locked_request;
    Arbitration arbitration;
    // Only ports that may hold a line are asked about it, and only those that a lock can concern
    // are looked at when it comes or goes; else all are: that is what it is checked against.
    bool filter_snoops;

  private:
    BusConfig() {}
    friend BusConfig bus_config(const Config&);
};

class Bus {
  public:
    Bus(const BusConfig& config, Memory& memory, CodePageWatch& code, DeviceSpace& devices,
        Observer& observer);

    // Ports take numbers in the order they are attached: those of their processors.
    void attach(BusPort& port);

    // Also ahead of the bus, to be seen when it has come to Request::posted.
    [[gnu::always_inline]] void post(ProcessorId port, Request request) {
        snoop_filter_.prefetch(request.address);
        RequestQueue& queue = ports_[port].queue;
        if (request.kind == TransactionKind::write_back || !queue.empty())
            return post_besides(port, request);
        queue.push_back(request);
        on_new_head(port);
        schedule_edge(std::max(free_at_, eligible_[port]));
    }
    // Takes back the port's last, which the bus has not come to. Returns what it was.
    TransactionKind withdraw(ProcessorId port);

    // A locked update within the port's own cache: no transaction, but others wait for its line,
    // and a bus that is held lets the port on. To be called at the present, like post().
    void lock_in_cache(ProcessorId port, Address line, Time at);
    // Ends it, or one begun `on_bus` by a locked read where nobody need be told.
    void release(ProcessorId port, Address line, bool on_bus, Time at);
    // A port is about to store to code in a line of its own, or to look at another's without a
    // transaction: nobody snoops that. Ports before `first` have executed all that they do at `at`.
    void roll_back_line(Address address, Time at, ProcessorId first);

    // The next edge at which there is something to do, or kNever.
    Time next_edge() const { return next_edge_; }
    // Does it. `at` is next_edge().
    void edge(Time at);
    // Told when next_edge() has come nearer by a post.
    void on_edge_scheduled(std::function<void()> told) { edge_scheduled_ = std::move(told); }

    const Clock& clock() const { return clock_; }
    CodePageWatch& code() { return code_watch_; }
    // When the last transaction was granted; -1 before the first.
    Time last_grant() const { return last_grant_; }

    // What changes while it runs.
    template <class Archive>
    void serialize(Archive& archive) {
        std::vector<SavedQueue> asking;
        for (ProcessorId p = 0; p < ports_.size(); ++p)
            asking.push_back({eligible_[p], ports_[p].queue});
        archive(snoop_filter_, asking, pending_, writing_back_, blocked_, turn_, free_at_,
                next_edge_, last_edge_, turn_kept_at_, last_grant_, pending_replies_, locks_,
                owners_, unavailable_);
        asking.resize(ports_.size());
        for (ProcessorId p = 0; p < ports_.size(); ++p) {
            eligible_[p] = asking[p].eligible;
            ports_[p].queue = asking[p].queue;
            lines_[p] = line_of(head(p).address);
        }
        note_all_unavailable();
        note_all_write_backs();
    }

  private:
    struct alignas(64) Attached {
        BusPort* port;
        RequestQueue queue;
    };
    // What a port asks for, as it is saved.
    struct SavedQueue {
        Time eligible = kNever;
        RequestQueue queue;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(eligible, queue);
        }
    };
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
        bool on_bus;  // begun by a locked read

        template <class Archive>
        void serialize(Archive& archive) {
            archive(owner, line, on_bus);
        }
    };
    static constexpr ProcessorId kNobody = kMaxProcessors;
    struct Unavailable {
        Address line;
        Time until;           // kNever: until its reply
        ProcessorId but_for;  // the port it is on its way to, or kNobody
        bool to_takers_only;  // others may read it meanwhile
        Time arrives;         // kNever: until its reply

        template <class Archive>
        void serialize(Archive& archive) {
            archive(line, until, but_for, to_takers_only, arrives);
        }
    };

    // Bit n is that of the port n turns behind `first`.
    static std::uint64_t in_turn(std::uint64_t ports, ProcessorId first) {
        return ports >> first | ports << (kMaxProcessors - first) % kMaxProcessors;
    }
    static ProcessorId first_in_turn(std::uint64_t in_turn, ProcessorId first) {
        return (static_cast<ProcessorId>(__builtin_ctzll(in_turn)) + first) % kMaxProcessors;
    }
    void arbitrate(Time at);
    ProcessorId choose(Time at);
    bool grant(ProcessorId port, Time at);
    void reply(Time at);
    void reply_later(ProcessorId port, const Request& request, Time ready, std::uint32_t io_value);
    void report_use(ProcessorId port, const Request& request, Time at, Time occupancy_time,
                    Time posted, bool reply);
    void perform(ProcessorId port, const Request& request, Time at);
    void end_lock(ProcessorId port, const Request& request, Time at);
    void write_memory(ProcessorId port, const Request& request, Time at);
    void read_memory(ProcessorId port, const Request& request, Time at);
    void access_device(ProcessorId port, const Request& request, Time at);
    void write(ProcessorId port, const Request& request, Time at);
    void write_code(ProcessorId port, const Request& request, Time at);
    bool changes_memory(const Request& request) const;
    const Request& head(ProcessorId port) const { return ports_[port].queue.front(); }
    // A request is its port's oldest.
    void on_new_head(ProcessorId port) {
        pending_ |= std::uint64_t{1} << port;
        lines_[port] = line_of(head(port).address);
        if (!locks_.empty()) block_if_locked(port);
        eligible_[port] = clock_.edge_after(head(port).posted) + arbitration_time_;
    }
    // The port's oldest request is no longer.
    void on_head_removed(ProcessorId port) {
        if (!ports_[port].queue.empty()) return on_new_head(port);
        const std::uint64_t others = ~(std::uint64_t{1} << port);
        pending_ &= others;
        blocked_ &= others;
        eligible_[port] = kNever;
    }
    void block_if_locked(ProcessorId port);
    // Who has a lock in its own cache is let on a bus that is held, or they would wait for each
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
    // When its line is available again; 0 if it is, kNever if nobody knows yet.
    Time unavailable_until(ProcessorId port, Time at) const {
        return may_be_unavailable(port) ? find_unavailable(port, at) : 0;
    }
    bool may_be_unavailable(ProcessorId port) const {
        return !unavailable_.empty() &&
               ((coming_to_ >> port & 1) || (unavailable_slots_ & slot_of(lines_[port])));
    }
    Time find_unavailable(ProcessorId port, Time at) const;
    void make_unavailable(const Unavailable& line) {
        unavailable_.push_back(line);
        note_unavailable(line);
    }
    // Most lines that are asked for are none of them: what they have in common says so at once.
    void note_unavailable(const Unavailable& line) {
        if (line.but_for != kNobody) coming_to_ |= std::uint64_t{1} << line.but_for;
        unavailable_slots_ |= slot_of(line.line);
    }
    void note_all_unavailable();
    void mark_in_transit(ProcessorId port, const Request& request, bool from_owner, Time at);
    void arrived(ProcessorId port, Address line, Time at, Time others_from);
    void post_besides(ProcessorId port, Request request);
    void write_back_gone(ProcessorId port, Address line);
    void note_all_write_backs();
    bool supply_from_write_back(ProcessorId but_for, Address line) {
        return write_backs_[slot_number(line)] > 0 && find_write_back(but_for, line);
    }
    bool find_write_back(ProcessorId but_for, Address line);
    void forget_available(Time at);
    bool may_be_granted(ProcessorId port, Time at) const {
        return !(blocked_ >> port & 1) && unavailable_until(port, at) == 0;
    }
    // Who may have something to say to it.
    std::uint64_t snoopers(ProcessorId port, const Request& request) const {
        const std::uint64_t others = watching_[index(request.kind)] & ~(std::uint64_t{1} << port);
        if (others == 0 || !config_.filter_snoops) return others;
        return others & snoop_filter_.of(request.address);
    }
    Snooped snoop(std::uint64_t others, const Request& request, Time at);
    Snooped snoop_read(ProcessorId port, const Request& request, Time at);
    Address line_of(Address address) const { return address & ~(config_.line_bytes - 1); }
    // Lines are told apart by their slot at once, most often.
    static constexpr unsigned kSlots = 64;
    unsigned slot_number(Address address) const {
        return (address >> snoop_filter_.line_shift()) % kSlots;
    }
    std::uint64_t slot_of(Address address) const {
        return std::uint64_t{1} << slot_number(address);
    }
    bool owns_lock(ProcessorId port) const { return owners_ >> port & 1; }
    void unlock(ProcessorId port, Address line, bool on_bus);
    void schedule_edge(Time edge) {
        if (edge >= next_edge_) return;
        next_edge_ = edge;
        if (edge_scheduled_) edge_scheduled_();
    }
    void reschedule_edge(Time at);
    void fix_occupancies();
    Time occupancy(const Request& request) const {
        const Time without_data = occupancies_[index(request.kind)];
        if (request.kind != TransactionKind::write_back) return without_data;
        return without_data + data_time(request.size);
    }
    Time data_time(unsigned bytes) const {
        return clock_.cycles((bytes + config_.width_bytes - 1) >> width_shift_);
    }
    // The one behind `at`, or at `soonest` at the earliest, which is an edge.
    Time find_next_edge(Time at, Time soonest) const;
    bool used_at(Time soonest) const;
    Time earliest_use(Time soonest) const;
    Time earliest_where_some_wait(Time at, Time soonest) const;

    BusConfig config_;
    Clock clock_;
    Memory& memory_;
    SnoopFilter snoop_filter_;
    CodePageWatch& code_watch_;
    DeviceSpace& devices_;
    Observer& observer_;
    std::function<void()> edge_scheduled_;

    Time arbitration_time_;
    unsigned width_shift_;                             // config_.width_bytes is a power of two
    std::array<Time, kTransactionKinds> occupancies_;  // of a copy-back without its data

    std::vector<Attached> ports_;
    std::array<Time, kMaxProcessors> eligible_;  // when each one's oldest request may be granted
    std::array<Address, kMaxProcessors> lines_;  // that it is for
    std::uint64_t pending_ = 0;                  // ports whose queue is not empty
    std::uint64_t blocked_ = 0;  // of those, ports held off by another's lock; without locks none
    std::uint64_t writing_back_ = 0;  // of those, ports that have a line to copy back
    std::uint64_t deciding_ = 0;      // ports that are asked what their stores need
    bool reads_become_silent_ =
        false;  // BusPort::reads_become_silent() of all, and snoops are filtered
    std::uint64_t watching_[kTransactionKinds] = {};  // ports that snoop transactions of each kind
    ProcessorId turn_ = 0;                            // the port whose turn is next
    Time free_at_ = 0;
    Time next_edge_ = kNever;
    Time last_edge_ = -1;
    Time turn_kept_at_ = -1;  // the edge at which the arbiter kept a turn for a locked line
    Time last_grant_ = -1;
    std::vector<PendingReply>
        pending_replies_;  // the next last; of those at one time, the first granted
    std::vector<Lock> locks_;
    std::uint64_t owners_ = 0;  // of them
    std::vector<Unavailable> unavailable_;
    std::uint64_t coming_to_ = 0;                      // the ports they are on their way to
    std::uint64_t unavailable_slots_ = 0;              // each line's slot_of()
    std::array<std::uint32_t, kSlots> write_backs_{};  // that wait, of lines of each slot
};

}  // namespace symsim
