// SPDX-License-Identifier: MIT
// The cache and its controller: checks of a state that was loaded from a checkpoint file.
#include <algorithm>

#include "sim/base/saved_state.h"
#include "sim/cache/controller.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// A line is in its set, once. The line after the last set is always invalid.
void Cache::check_loaded(Time latest) const {
    for (std::size_t n = 0; n < lines_.size(); ++n) {
        const Line& line = lines_[n];
        require(index(line.state) < kLineStates && line.used >= 0 && line.used <= latest,
                "line {} of its cache is in state {}, used at {} ps", n, index(line.state),
                line.used);
        require((line.state == LineState::invalid) == (line.address == Line::kNoAddress),
                "line {} of its cache is in state {} at {:#x}", n, index(line.state), line.address);
        if (line.state == LineState::invalid) continue;
        const std::size_t set = first_of_set(line.address);
        require(line_of(line.address) == line.address && n >= set && n < set + ways_ &&
                    n + 1 < lines_.size(),
                "line {} of its cache is of {:#x}", n, line.address);
        for (std::size_t other = set; other < n; ++other)
            require(lines_[other].address != line.address, "its cache has {:#x} twice",
                    line.address);
    }
}

void StorePort::check_loaded(ProcessorId id, Time at, const Cache& cache) const {
    require(complete_at_ >= 0 && complete_at_ < at + kMillisecond,
            "the stores of port {} complete at {} ps", id, complete_at_);
    require(free_from_ == (buffer_.empty() ? complete_at_ : kNever), "port {} is free from {} ps",
            id, free_from_);
    require(arriving_ == Line::kNoAddress || cache.line_of(arriving_) == arriving_,
            "{:#x} arrives at port {}", arriving_, id);
}

void CacheController::check_loaded(Time at, bool waits) const {
    check_loaded_stores(at);
    cache_.check_loaded(std::max(at, stores_.complete_at()));  // a line may be arriving
    check_loaded_lines();
    check_loaded_fill();
    check_loaded_locks();
    const bool may_wait = wait_.what() == Awaiting::fill ||
                          ((wait_.what() == Awaiting::slot || wait_.what() == Awaiting::drained ||
                            wait_.what() == Awaiting::completion) &&
                           !stores_.buffer().empty());
    require(waits ? may_wait : wait_.what() == Awaiting::nothing, "port {} waits for {}", id_,
            index(wait_.what()));
}

void CacheController::check_loaded_lines() const {
    for (const Line& line : cache_.lines()) {
        if (line.state == LineState::invalid) continue;
        require(protocol_.keeps_lines() && protocol_.has(line.state) &&
                    memory_.contains(line.address, cache_.line_bytes()) &&
                    interconnect_.may_hold(id_, line.address) &&
                    interconnect_.lets_have(id_, line.address, own_line(line)),
                "cache {} has {:#x} in state {}", id_, line.address, index(line.state));
    }
}

// The stores in the buffer are those in the queue, after those that are granted and under way.
void CacheController::check_loaded_stores(Time at) const {
    const std::vector<Request> replies = interconnect_.awaited_replies(id_);
    std::vector<Request> stores;
    std::size_t lines = 0;
    for (const Request& request : replies) {
        if (is_store(request.kind)) stores.push_back(request);
        if (request.kind == TransactionKind::read_exclusive) ++lines;
    }
    require(lines == (stores_.awaits_line() ? 1 : 0), "port {} awaits {} lines to store to", id_,
            lines);
    const RequestQueue& queue = interconnect_.requests(id_);
    for (std::size_t n = 0; n < queue.size(); ++n)
        if (is_store(queue[n].kind)) stores.push_back(queue[n]);
    require(stores.size() == stores_.buffer().size(), "port {} has {} stores and requests {}", id_,
            stores_.buffer().size(), stores.size());
    for (std::size_t n = 0; n < stores.size(); ++n)
        require(stores_.buffer().is(n, stores[n].address, stores[n].size, stores[n].value),
                "port {} requests another store to {:#x} than it has", id_, stores[n].address);
    require(exchanging_ == kNoExchange ||
                (exchanges_ && stores_.awaited() && memory_.contains(exchanging_, 1)),
            "port {} exchanges at {:#x}", id_, exchanging_);
    stores_.check_loaded(id_, at, cache_);
}

// The read that the processor waits for is either in the queue or has been granted.
void CacheController::check_loaded_fill() const {
    require(fill_.valid(protocol_), "port {} fills a line in state {} by transaction {}", id_,
            index(fill_.state()), index(fill_.kind()));
    const auto its_own = [this](const Request& request) {
        return request.kind == fill_.kind() && request.address == fill_.address();
    };
    std::size_t requested = 0, granted = 0, strange = 0;
    for (const Request& request : interconnect_.awaited_replies(id_))
        if (has_reply(request.kind) && !is_store(request.kind))
            ++(its_own(request) ? granted : strange);
    const RequestQueue& queue = interconnect_.requests(id_);
    for (std::size_t n = 0; n < queue.size(); ++n)
        if (has_reply(queue[n].kind)) ++(its_own(queue[n]) ? requested : strange);
    const bool awaited = wait_.what() == Awaiting::fill;
    require(strange == 0 && requested + granted == (awaited ? 1 : 0) &&
                granted == (fill_.under_way() && !fill_.arrived() ? 1 : 0),
            "port {} waits for {:#x}, requests {} reads and is granted {}", id_, fill_.address(),
            requested, granted + strange);
    require(requested == 0 || !fill_.under_way(), "port {} requests {:#x}, which it has got", id_,
            fill_.address());
    const bool memory = fill_.arrived() && fill_.kind() != TransactionKind::io_read;
    const Address line = cache_.line_of(fill_.address());
    const bool kept = fill_.state() != LineState::invalid;
    require(!memory ||
                (memory_.contains(line, cache_.line_bytes()) &&
                 (!kept || interconnect_.lets_have(id_, line, protocol_.writable(fill_.state())))),
            "{:#x} has arrived at port {}", fill_.address(), id_);
}

// Each lock of this port on the bus belongs to its instruction under way, to an unlock that waits
// for the bus, or to a locked read whose reply has not been taken.
void CacheController::check_loaded_locks() const {
    std::size_t locks = locks_.size();
    for (const LockedLine& entry : locks_.all()) {
        const bool on_bus = interconnect_.holds_lock(id_, entry.line, entry.on_bus);
        const bool ended = entry.ended_by_store && entry.on_bus && !on_bus;
        if (ended) --locks;
        require((on_bus || ended) && (entry.on_bus || protocol_.has_own_lines()),
                "port {} has locked {:#x} and the bus does not know", id_, entry.line);
    }
    for (const LockedLine& entry : sub_pages_.all()) {
        ++locks;
        require(interconnect_.holds_lock(id_, entry.line, entry.on_bus),
                "port {} has got the sub-page of {:#x} and the interconnect does not know", id_,
                entry.line);
    }
    const RequestQueue& queue = interconnect_.requests(id_);
    for (std::size_t n = 0; n < queue.size(); ++n) {
        if (queue[n].kind != TransactionKind::unlock) continue;
        ++locks;
        require(
            !protocol_.lines_have_owners() && interconnect_.holds_lock(id_, queue[n].address, true),
            "port {} unlocks {:#x}, which it has not locked", id_, queue[n].address);
    }
    const bool locks_line = fill_.kind() == TransactionKind::locked_read &&
                            (fill_.under_way() || fill_.arrived()) && !locks_.has(fill_.address());
    require(!locks_line || interconnect_.holds_lock(id_, fill_.address(), true),
            "port {} has not locked {:#x}", id_, fill_.address());
    require(interconnect_.locks_of(id_) == locks + (locks_line ? 1 : 0), "port {} holds {} locks",
            id_, interconnect_.locks_of(id_));
}

}  // namespace symsim
