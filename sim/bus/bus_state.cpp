// SPDX-License-Identifier: MIT
// The bus: checks of a state that was loaded from a checkpoint file.
#include "sim/base/archive.h"
#include "sim/base/saved_state.h"
#include "sim/bus/bus.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

namespace {

// No time that the bus knows ahead is later: a transaction takes some hundred cycles at most.
constexpr Time kFarAhead = kMillisecond;

}  // namespace

void Bus::save_state(SaveArchive& archive) {
    serialize(archive);
}

void Bus::load_state(LoadArchive& archive) {
    serialize(archive);
}

void Bus::check_loaded(Time at) const {
    const ProcessorSet all = ProcessorSet::first(static_cast<unsigned>(ports_.size()));
    snoop_filter_.check_loaded(all);
    for (ProcessorId port = 0; port < ports_.size(); ++port) check_loaded_queue(port, at);
    require(((pending_ | writing_back_ | blocked_) - all).empty(), "ports {} request the bus",
            pending_.text());
    require((passed_over_ - pending_).empty(), "ports {} were passed over", passed_over_.text());
    check_loaded_locks();
    check_loaded_replies(at);
    check_loaded_lines(at);
    check_loaded_edges(at);
    controllers_.check_loaded(at + kFarAhead);
}

// A request of memory must be for bytes that there are, and one of a line for its whole.
void Bus::check_loaded(const Request& request, Time at) const {
    require(index(request.kind) < kTransactionKinds && index(request.activity) < kActivities,
            "a request is of kind {} and activity {}", index(request.kind),
            index(request.activity));
    // A line that is evicted is written back when the line in its place has arrived.
    const bool evicts = request.kind == TransactionKind::write_back;
    require(request.posted >= 0 && request.posted <= (evicts ? at + kFarAhead : at),
            "a request was posted at {} ps", request.posted);
    const bool datum = request.size >= 1 && request.size <= 4;
    if (is_io(request.kind))
        return require(datum && request.address >= kDeviceSpace,
                       "a request is for {} bytes of a device at {:#x}", request.size,
                       request.address);
    const bool whole_line =
        request.size == config_.line_bytes && line_of(request.address) == request.address;
    const bool fits = [&] {
        switch (request.kind) {
            case TransactionKind::unlock:
                return request.size == 0 && line_of(request.address) == request.address;
            case TransactionKind::write_back:
            case TransactionKind::locked_read:
                return whole_line;
            case TransactionKind::fetch:
            case TransactionKind::read:
                return datum || whole_line;
            default:
                return datum;
        }
    }();
    require(fits && memory_.contains(line_of(request.address), config_.line_bytes) &&
                memory_.contains(request.address, request.size),
            "a request is for {} bytes at {:#x}", request.size, request.address);
}

void Bus::check_loaded_queue(ProcessorId port, Time at) const {
    const RequestQueue& queue = ports_[port].queue;
    bool first_others = false;
    for (std::size_t n = 0; n < queue.size(); ++n) {
        check_loaded(queue[n], at);
        const TransactionKind kind = queue[n].kind;
        require(kind != TransactionKind::read_exclusive && kind != TransactionKind::upgrade,
                "port {} requests what only a grant decides", port);
        first_others |= kind != TransactionKind::write_back;
        require(kind != TransactionKind::write_back || (!first_others && deciding_.contains(port)),
                "port {} has a write-back behind another request", port);
        const auto locks_line = [&](const Lock& lock) {
            return lock.owner == port && lock.on_bus && lock.line == line_of(queue[n].address);
        };
        require(!queue[n].ends_lock || (kind == TransactionKind::locked_store &&
                                        std::any_of(locks_.begin(), locks_.end(), locks_line)),
                "port {} ends a lock of {:#x} that it does not own", port, queue[n].address);
    }
    const bool empty = queue.empty();
    const Time eligible = empty ? kNever : clock_.edge_after(head(port).posted) + arbitration_time_;
    const bool writes_back = !empty && head(port).kind == TransactionKind::write_back;
    require(pending_.contains(port) == !empty && eligible_[port] == eligible &&
                writing_back_.contains(port) == writes_back &&
                blocked_.contains(port) == (!empty && blocked_by_lock(port)),
            "port {} has {} requests, eligible at {} ps", port, queue.size(), eligible_[port]);
}

void Bus::check_loaded_locks() const {
    ProcessorSet owners;
    for (const Lock& lock : locks_) {
        require(lock.owner < ports_.size() && line_of(lock.line) == lock.line &&
                    memory_.contains(lock.line, config_.line_bytes),
                "port {} has locked {:#x}", lock.owner, lock.line);
        owners.add(lock.owner);
        const auto same = std::count_if(locks_.begin(), locks_.end(), [&](const Lock& other) {
            return other.owner == lock.owner && other.line == lock.line &&
                   other.on_bus == lock.on_bus;
        });
        require(same == 1, "port {} has locked {:#x} {} times", lock.owner, lock.line, same);
    }
    require(owners == owners_, "ports {} own locks, and {} are noted", owners.text(),
            owners_.text());
}

void Bus::check_loaded_replies(Time at) const {
    Time before = kNever;
    for (const PendingReply& reply : pending_replies_) {
        check_loaded(reply.request, at);
        require(reply.port < ports_.size() && has_reply(reply.request.kind),
                "port {} awaits the reply to a transaction of kind {}", reply.port,
                index(reply.request.kind));
        require(reply.ready >= 0 && reply.ready <= before && reply.ready < at + kFarAhead &&
                    clock_.edge_at_or_after(reply.ready) == reply.ready,
                "a reply is ready at {} ps", reply.ready);
        before = reply.ready;
    }
}

std::vector<Request> Bus::awaited_replies(ProcessorId port) const {
    std::vector<Request> requests;
    for (const PendingReply& reply : pending_replies_)
        if (reply.port == port) requests.push_back(reply.request);
    return requests;
}

// A line in transit arrives with a reply, if lines have owners.
void Bus::check_loaded_lines(Time at) const {
    const auto in_transit = [this](ProcessorId port, Address line) {
        return std::count_if(unavailable_.begin(), unavailable_.end(), [=](const Unavailable& u) {
            return u.destination == port && u.line == line && u.until == kNever;
        });
    };
    std::size_t replies = 0;
    for (const PendingReply& reply : pending_replies_) {
        if (!config_.lines_have_owners || is_io(reply.request.kind)) continue;
        ++replies;
        require(in_transit(reply.port, line_of(reply.request.address)) == 1,
                "the line of {:#x} is not in transit to port {}", reply.request.address,
                reply.port);
    }
    std::size_t coming = 0;
    for (const Unavailable& u : unavailable_) {
        require(line_of(u.line) == u.line &&
                    (u.destination == kNobody || u.destination < ports_.size()),
                "{:#x} is in transit to port {}", u.line, u.destination);
        if (u.until == kNever) ++coming;
        require((u.until == kNever && u.arrives == kNever) ||
                    (u.until >= 0 && u.until < at + kFarAhead && u.arrives >= 0 &&
                     u.arrives < at + kFarAhead),
                "{:#x} is unavailable until {} ps and arrives at {} ps", u.line, u.until,
                u.arrives);
    }
    require(coming == replies, "{} lines are in transit, and {} replies are to come", coming,
            replies);
}

// The next edge must not be missed: nothing but an edge lets a waiting processor continue.
void Bus::check_loaded_edges(Time at) const {
    require(turn_ < kMaxProcessors, "the turn is at port {}", turn_);
    require(last_edge_ >= -1 && last_edge_ < at && last_grant_ >= -1 && last_grant_ <= last_edge_ &&
                turn_kept_at_ >= -1 && turn_kept_at_ <= last_edge_,
            "the last edge was at {} ps and the last grant at {} ps", last_edge_, last_grant_);
    require(turn_kept_at_ < 0 || !locks_.empty(), "a turn is kept for a line that is not locked");
    require(held_until_ >= 0 && held_until_ <= at, "the bus has been held until {} ps",
            held_until_);
    require(free_at_ >= 0 && free_at_ < std::max<Time>(last_edge_, 0) + kFarAhead &&
                clock_.edge_at_or_after(free_at_) == free_at_,
            "the bus is free at {} ps", free_at_);
    const Time soonest = std::max(free_at_, clock_.edge_at_or_after(at));
    const Time use = earliest_use_with_waits(last_edge_, soonest);
    require(next_event_ >= at && next_event_ <= (use == kNever ? kNever : std::max(use, soonest)) &&
                (next_event_ == kNever || clock_.edge_at_or_after(next_event_) == next_event_),
            "the next edge is at {} ps", next_event_);
}

}  // namespace symsim
