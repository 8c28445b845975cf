// SPDX-License-Identifier: MIT
// The requests that a cache controller posts to its port of the interconnect (port.h), and those
// that have not been granted: all those of one port, and the oldest of each port.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

struct Request {
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // of the processor when it posted the request
    std::uint8_t size = 0;               // bytes: of the line for a fill, of the datum otherwise
    bool ends_lock = false;              // a locked store that unlocks its line when it is granted
    Address address = 0;
    std::uint32_t value = 0;  // of stores
    Time posted = 0;
};

// Whether the transaction carries a datum to memory. All processors see the datum from the grant
// on.
constexpr bool is_store(TransactionKind k) {
    return k == TransactionKind::store || k == TransactionKind::locked_store ||
           k == TransactionKind::read_exclusive || k == TransactionKind::upgrade ||
           k == TransactionKind::io_write;
}
// A read that leaves other caches their copies.
constexpr bool is_read(TransactionKind k) {
    return k == TransactionKind::fetch || k == TransactionKind::read;
}
// Whether the transaction brings data back in a reply.
constexpr bool has_reply(TransactionKind k) {
    return k == TransactionKind::fetch || k == TransactionKind::read ||
           k == TransactionKind::read_exclusive || k == TransactionKind::locked_read ||
           k == TransactionKind::io_read;
}
constexpr bool is_io(TransactionKind k) {
    return k == TransactionKind::io_read || k == TransactionKind::io_write;
}

// The use of the bus, or of another resource of the interconnect, that the request makes.
inline BusUse use_of(ProcessorId port, const Request& request, Time start, Time duration) {
    BusUse use;
    use.start = start;
    use.duration = duration;
    use.posted = request.posted;
    use.processor = port;
    use.kind = request.kind;
    use.activity = request.activity;
    use.address = request.address;
    use.size = request.size;
    return use;
}

// The requests of one port, oldest first; write-backs come before all others. Usually there is one
// request. The first is a member of the queue itself, which saves the host an access to a vector's
// memory.
class RequestQueue {
  public:
    RequestQueue() { clear(); }

    bool empty() const { return first_.posted == kNever; }
    std::size_t size() const { return empty() ? 0 : 1 + rest_.size(); }
    const Request& operator[](std::size_t n) const { return n == 0 ? first_ : rest_[n - 1]; }
    const Request& front() const { return first_; }

    // The request is passed by value, here and in Bus::post(), so that the compiler builds it in
    // its place in the queue.
    void push_back(Request request) {
        if (empty())
            first_ = request;
        else
            rest_.push_back(request);
    }
    void push_front(const Request& request) {
        if (!empty()) rest_.insert(rest_.begin(), first_);
        first_ = request;
    }
    void pop_front() {
        if (rest_.empty())
            clear();
        else
            move_up();
    }
    void erase(std::size_t n) {
        if (n == 0)
            pop_front();
        else
            rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(n) - 1);
    }

    static constexpr std::size_t kNone = ~std::size_t{0};
    // The position of the request for this address among the requests of this kind at the front of
    // the queue, or kNone.
    std::size_t find_first(TransactionKind kind, Address address) const {
        if (empty() || first_.kind != kind) return kNone;
        if (first_.address == address) return 0;
        for (std::size_t n = 0; n < rest_.size() && rest_[n].kind == kind; ++n)
            if (rest_[n].address == address) return n + 1;
        return kNone;
    }

  private:
    void clear() { first_.posted = kNever; }
    void move_up() {
        first_ = rest_.front();
        rest_.erase(rest_.begin());
    }

    Request first_;  // the queue is empty if this was posted at kNever
    std::vector<Request> rest_;
};

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
