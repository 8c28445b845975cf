// SPDX-License-Identifier: MIT
// The interface of an interconnect: what connects the caches of all processors with memory and
// devices, keeps their lines coherent, and decides how long a transaction takes. Caches, engines
// and machine know this interface only. What a transaction does at its grant is in
// snooping_interconnect.h; which request is granted when is up to the System Bus (sim/bus) or the
// crossbar (sim/bus/crossbar.h).
//
// Calls. Each cache controller is a Port, and posts its requests with post(). The engine calls
// advance() at each next_event(), in order of time. The interconnect then grants requests, and
// performs and answers them, and sends replies. It calls the ports: snoop() of other ports,
// granted(), answered() and replied() of the requester (port.h).
//
// What each interconnect must keep
//   - Requests of one port are granted in order.
//   - A request is granted at an event strictly later than its posting. So nothing at an event
//     depends on what processors do at the same time, nor on the order in which they are simulated.
//   - All that a transaction does to memory and to other caches happens at one event, its grant or
//     a later one. First other caches snoop the transaction, then memory is written, then the
//     requester is answered. The order of these events is defined, also of those at one time: by
//     processor number if by nothing else.
//   - From the grant of a locked read to its unlock, no other port is granted a request for the
//     line (address lock).
//
// Speculation. The interconnect is never rolled back: commit time is the time up to which it has
// been simulated. Processors run ahead of it (sim/engine/speculation/run_ahead.h). They may post a
// request for a future time, and withdraw it when they roll back. A snoop rolls back a processor
// that has used the line speculatively.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/address_locks.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/lines_in_transit.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/port.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/snoops.h"
#include "sim/interconnect/transaction_times.h"

namespace symsim {

// The candidates for the next grant: the oldest request of each port, and what can keep it from
// being granted: another port's lock, a line that is unavailable, a busy memory controller. The
// interconnect updates the parts; what chooses a request asks.
struct Candidates {
    // `locks_hold_all`: see AddressLocks.
    Candidates(const InterconnectConfig& config, bool locks_hold_all)
        : locks(locks_hold_all, !config.filter_snoops), lines(config.line_bytes), memory(config) {}

    // The port has a new oldest request, which can be granted from `eligible` on.
    void requested(ProcessorId port, TransactionKind kind, Address line, Time eligible) {
        requests.set(port, kind, line, eligible);
        locks.requested(port, line);
        memory.requested(port, kind, line);
    }
    // The port has no request any more.
    void no_request(ProcessorId port) {
        requests.clear(port);
        locks.no_request(port);
    }

    // Whether the port's request, which is eligible and which memory accepts, can be granted at
    // `at`.
    bool may_be_granted(ProcessorId port, Time at) const {
        return !locks.blocked().contains(port) && available_from(port, at) == 0;
    }
    // When the line of the port's request becomes available to it: 0 if it is available at `at`,
    // kNever if the time is not known yet.
    Time available_from(ProcessorId port, Time at) const {
        return lines.unavailable_until(port, requests.kind(port), requests.line(port), at);
    }
    // Ports whose request no lock blocks.
    ProcessorSet unblocked() const { return requests.pending() - locks.blocked(); }

    OldestRequests requests;
    AddressLocks locks;
    LinesInTransit lines;
    MemoryControllers memory;
};

// What an interconnect counts for each of its ports: a processor's performance monitor reads it
// (sim/devices/monitor.h). An interconnect counts at its own events, in order of time, so nothing
// speculative is counted.
struct PortCounts {
    // Granted reads and fetches of memory, with read_exclusive and locked_read.
    std::uint64_t cache_misses = 0;
    // Those of them that neither the memory nor the network cache of the port's own node could
    // serve. An interconnect without nodes has none.
    std::uint64_t far_misses = 0;
    // Transactions that carry a store to memory, or take ownership of a line for one: store,
    // locked_store, read_exclusive, upgrade.
    std::uint64_t stores = 0;
    // From the posting of each request to the arrival of its data; of a request without a reply,
    // to its grant. Requests of one port overlap, so the sum may exceed elapsed time.
    Time waited = 0;
};

class Interconnect {
  public:
    // `locks_hold_all`: see AddressLocks.
    Interconnect(const InterconnectConfig& config, bool locks_hold_all, Memory& memory,
                 CodePageWatch& code);
    virtual ~Interconnect() = default;
    Interconnect(const Interconnect&) = delete;
    Interconnect& operator=(const Interconnect&) = delete;

    Memory& memory() { return memory_; }
    CodePageWatch& code() { return code_watch_; }

    // --- for the ports ---------------------------------------------------------------------------
    // Adds a port. Ports are numbered in the order they are attached, like their processors.
    virtual void attach(Port& port);

    // Puts a request into the port's queue. Request::posted may be in the future if the processor
    // runs ahead. A request can be granted from the first edge of the interconnect's clock strictly
    // later than its posting, plus arbitration_cycles. Inline, so that the compiler builds the
    // request in its place in the queue.
    [[gnu::always_inline]] void post(ProcessorId port, Request request) {
        RequestQueue& queue = ports_[port].queue;
        if (request.kind == TransactionKind::write_back || !queue.empty())
            return post_slow(port, request);
        queue.push_back(request);
        on_head_posted(port);
    }
    // Removes the port's newest request, whose posting time the interconnect has not reached: its
    // processor rolls back to an earlier time. Returns the request's kind.
    TransactionKind withdraw(ProcessorId port);

    // Locks a line that the port's own cache owns, for a locked update in that cache. There is no
    // transaction, but other ports' requests for the line are blocked until release(). Called at
    // commit time, not speculatively.
    virtual void lock_in_cache(ProcessorId port, Address line, Time at) = 0;
    // Ends a lock without a transaction: one that lock_in_cache() began, or, with `on_bus`, one
    // that a locked read began under a protocol whose lines have owners.
    virtual void release(ProcessorId port, Address line, bool on_bus, Time at) = 0;
    // Rolls processors that have used the line speculatively back to `at`. It replaces the snoop
    // where a port needs no transaction: the port stores to code in a line that it owns, or a probe
    // reads bytes that another processor may have stored speculatively. Processors with numbers
    // below `first` have already executed what they do at `at`; they are rolled back to one tick
    // after it.
    void roll_back_line(Address address, Time at, ProcessorId first);

    // Opens or closes the page of an address from `at` on. Others that have executed ahead of `at`
    // are rolled back, since they may have accessed the page.
    void set_page(Address address, PageUse use, Time at, ProcessorId by);

    // --- for the engine --------------------------------------------------------------------------
    // When the interconnect next has something to do, or kNever.
    Time next_event() const { return next_event_; }
    // Does what is to be done at `at`, which is next_event().
    virtual void advance(Time at) = 0;
    // `callback` is called when next_event() becomes earlier outside advance(), as by a post.
    void on_event_scheduled(std::function<void()> callback) {
        event_scheduled_ = std::move(callback);
    }

    // --- for the machine -------------------------------------------------------------------------
    // When the last transaction was granted; -1 before the first one.
    Time last_grant() const { return last_grant_; }
    // The run ends at `end`: reports to the observer what is under way.
    virtual void close(Time end) = 0;

    // What the port's transactions have been up to commit time.
    const PortCounts& counts(ProcessorId port) const { return ports_[port].counts; }
    // How many lines of the range the port's cache has at commit time.
    std::uint32_t lines_of(ProcessorId port, Address first, std::uint32_t bytes) const {
        return ports_[port].port->lines_of(first, bytes);
    }
    // The node whose memory has the address, which is in memory, and the node of a processor. An
    // interconnect without nodes is one node.
    virtual unsigned node_of_address(Address) const { return 0; }
    virtual unsigned node_of(ProcessorId) const { return 0; }

    // The port's requests that have not been granted, for checks.
    const RequestQueue& requests(ProcessorId port) const { return ports_[port].queue; }

  protected:
    struct alignas(64) AttachedPort {
        Port* port;
        RequestQueue queue;
        PortCounts counts;
    };

    // The port's oldest request has left its queue: by a withdrawal, or since it is not needed.
    virtual void on_head_dropped(ProcessorId port) = 0;
    // The port's queue has a new oldest request, which is a write-back.
    virtual void on_write_back_posted(ProcessorId port) = 0;

    Address line_of(Address address) const { return address & line_mask_; }
    const Request& head(ProcessorId port) const { return ports_[port].queue.front(); }
    // After a change of the port's queue: notes its oldest request, if there is one.
    void note_head(ProcessorId port) {
        if (!ports_[port].queue.empty()) return note_new_head(port);
        candidates_.no_request(port);
    }
    void schedule(Time event) {
        if (event >= next_event_) return;
        next_event_ = event;
        if (event_scheduled_) event_scheduled_();
    }
    Time eligible_from(Time posted) const { return clock_.edge_after(posted) + arbitration_time_; }

    Memory& memory_;
    CodePageWatch& code_watch_;
    Clock clock_;
    Time arbitration_time_;
    Address line_mask_;
    Time next_event_ = kNever;
    Time granting_from_ = 0;  // no request is granted earlier
    Time last_grant_ = -1;
    std::vector<AttachedPort> ports_;
    Candidates candidates_;
    Snoops snoops_;

  private:
    void post_slow(ProcessorId port, Request request);
    void on_head_posted(ProcessorId port) {
        snoops_.prefetch(head(port).address);
        note_new_head(port);
        schedule(std::max(granting_from_, candidates_.requests.eligible(port)));
    }
    void note_new_head(ProcessorId port) {
        const Request& request = head(port);
        candidates_.requested(port, request.kind, line_of(request.address),
                              eligible_from(request.posted));
    }

    std::function<void()> event_scheduled_;
};

}  // namespace symsim
