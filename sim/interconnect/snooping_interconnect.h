// SPDX-License-Identifier: MIT
// What a transaction does, for every interconnect on which all caches snoop: at its grant to other
// caches, memory, devices and locks, and later when its reply arrives. Which is granted when, and
// what that occupies, is decided by the classes derived from this one.
//
// The parts, each with its own rules: snoops.h, address_locks.h, lines_in_transit.h,
// and PendingReplies here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/lines_in_transit.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_times.h"

namespace symsim {

// Granted reads whose replies have not been sent yet, in the order in which their data are ready.
class PendingReplies {
  public:
    struct Reply {
        Time ready;
        ProcessorId port;
        std::uint32_t io_value;
        Request request;
    };

    // Among replies that are ready at the same time, the first granted goes first. There are few,
    // so moving them one by one takes less time than vector::insert().
    void add(const Reply& reply) {
        std::size_t place = replies_.size();
        replies_.push_back(reply);
        for (; place > 0 && replies_[place - 1].ready <= reply.ready; --place)
            replies_[place] = replies_[place - 1];
        replies_[place] = reply;
    }
    // When the next reply is ready, or kNever.
    Time next_ready() const { return replies_.empty() ? kNever : replies_.back().ready; }
    Reply take_next() {
        const Reply next = replies_.back();
        replies_.pop_back();
        return next;
    }
    // Takes the reply with this place in all().
    Reply take(std::size_t place) {
        const Reply taken = replies_[place];
        replies_.erase(replies_.begin() + static_cast<std::ptrdiff_t>(place));
        return taken;
    }

    const std::vector<Reply>& all() const { return replies_; }  // the next one is last

  private:
    std::vector<Reply> replies_;
};

class SnoopingInterconnect : public Interconnect {
  public:
    SnoopingInterconnect(const InterconnectConfig& config, bool locks_hold_all, Memory& memory,
                         CodePageWatch& code, DeviceSpace& devices);

    void attach(Port& port) override;

  protected:
    // What is done at the edge `at` begins.
    void begin_edge(Time at) {
        if (at <= last_edge_) impossible("edge at {} ps after one at {} ps", at, last_edge_);
        last_edge_ = at;
    }
    // Takes the port's oldest request from its queue, to grant it. Nothing: the request turned out
    // not to need the interconnect, because the port could make its store in its own cache.
    [[gnu::always_inline]] std::optional<Request> take(ProcessorId port, Time at) {
        RequestQueue& queue = ports_[port].queue;
        std::optional<Request> request = queue.front();
        queue.pop_front();
        note_head(port);
        if (request->kind == TransactionKind::write_back)
            write_backs_.gone(port, request->address, queue);
        if (deciding_.contains(port) && is_store(request->kind) && !is_io(request->kind)) {
            const std::optional<TransactionKind> needed = ports_[port].port->needs(*request, at);
            if (!needed) {
                request.reset();
                return request;  // one variable in all returns: it is built in its place
            }
            request->kind = *needed;
        }
        last_grant_ = at;
        return request;
    }
    // The request that take() returned takes effect. A reply to it waits in memory for `waits`.
    [[gnu::always_inline]] void perform(ProcessorId port, const Request& request, Time at,
                                        Time waits) {
        if (is_io(request.kind)) return access_device(port, request, at);
        if (has_reply(request.kind)) return read_memory(port, request, at, waits);
        ports_[port].counts.waited += at - request.posted;
        if (request.kind != TransactionKind::unlock) return write_memory(port, request, at);
        unlock(port, request.address, at);
        ports_[port].port->granted_and_answered(request, true, false, at);
    }
    // The reply's data arrive at its port at `arrives`.
    void deliver(const PendingReplies::Reply& reply, Time arrives);

    // Whether the port locks the line by this transaction, or owns a lock (BusUse::locked).
    bool is_locked(ProcessorId port, TransactionKind kind) const {
        return kind == TransactionKind::locked_read || candidates_.locks.owns_any(port);
    }
    // A lock has begun or ended.
    virtual void on_locks_changed() {}
    void begin_lock(ProcessorId owner, Address line, bool on_bus) {
        candidates_.locks.begin(owner, line, on_bus, candidates_.requests);
        on_locks_changed();
    }
    void end_lock(ProcessorId owner, Address line, bool on_bus) {
        candidates_.locks.end(owner, line, on_bus, candidates_.requests);
        on_locks_changed();
    }

    InterconnectConfig config_;
    TransactionTimes times_;
    DeviceSpace& devices_;
    WriteBacks write_backs_;
    PendingReplies replies_;
    Time last_edge_ = -1;
    ProcessorSet deciding_;  // ports whose needs() is called before a store is granted

  private:
    // Snoops come first: they may roll back processors that ran ahead, and these execute again on
    // memory as it was. Memory is written after that.
    [[gnu::always_inline]] void write_memory(ProcessorId port, const Request& request, Time at) {
        if (deciding_.contains(port)) take_from_others(port, request, at);
        const Snooped snooped = snoops_.snoop(port, request, at);
        snoops_.end_silence(request.address);
        if (is_store(request.kind)) write(port, request, at);
        if (request.ends_lock) unlock(port, request.address, at);
        ports_[port].port->granted_and_answered(request, true, snooped.shares, at);
    }
    void write(ProcessorId port, const Request& request, Time at) {
        ++ports_[port].counts.stores;
        if (code_watch_.may_cover(request.address, request.size))
            return write_code(port, request, at);
        memory_.write(request.address, request.size, request.value);
    }
    void take_from_others(ProcessorId port, const Request& request, Time at);
    void read_memory(ProcessorId port, const Request& request, Time at, Time waits);
    void write_code(ProcessorId port, const Request& request, Time at);
    void access_device(ProcessorId port, const Request& request, Time at);
    void unlock(ProcessorId port, Address address, Time at);
    // Whether a port other than `destination` has a write-back of the line in its queue. If so, the
    // write-back supplies the line and is removed.
    bool supply_from_write_back(ProcessorId destination, Address line);
    void on_write_back_posted(ProcessorId port) final {
        write_backs_.posted(port, head(port).address);
    }
};

}  // namespace symsim
