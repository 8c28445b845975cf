// SPDX-License-Identifier: MIT
#include "sim/cache/controller.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

CacheController::CacheController(ProcessorId id, const ControllerConfig& config,
                                 std::unique_ptr<Protocol> protocol, Memory& memory, Bus& bus,
                                 Observer& observer, Waiter& waiter)
    : id_(id),
      config_(config),
      clock_(config.processor_period),
      hit_wait_(clock_.cycles(config.hit_wait_clocks)),
      protocol_(std::move(protocol)),
      cache_(config.geometry),
      memory_(memory),
      bus_(bus),
      observer_(observer),
      waiter_(waiter) {
    // Without a buffer there is no place to leave a store: the processor holds it to the end.
    if (config_.write_buffer_depth == 0) config_.store_policy = StorePolicy::stall;
    bus_.attach(*this);
}

Access CacheController::load(Address address, unsigned size, const AccessTime& when,
                             std::uint32_t& value) {
    if (address >= kDeviceSpace) return device_load(address, size, when, value);
    if (!memory_.contains(address, size))
        return when.present ? Access::nothing_there : Access::later;
    return cached(address, size, when, Kind::read, value);
}

// Whether the cache port is free can be told ahead only if no store is on its way. A line that is
// there stays there until a snoop, and that would take this access back. So a hit may be ahead.
Access CacheController::cached(Address address, unsigned size, const AccessTime& when, Kind kind,
                               std::uint32_t& value) {
    if (config_.store_policy == StorePolicy::block_port && !port_free(when.at))
        return when.present ? await(Awaiting::completion, when) : Access::later;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        value = peek(address, size);
        return Access::hit;
    }
    if (!when.present) return Access::later;
    if (take_fill(kind, address, when)) {
        value = peek(address, size);
        return Access::made;
    }
    switch (buffer_.overlap(address, size)) {
        case WriteBuffer::Overlap::whole:
            value = buffer_.over(address, size, 0);
            return Access::hit;
        case WriteBuffer::Overlap::part:
            return await(Awaiting::drained, when);
        case WriteBuffer::Overlap::none:
            break;
    }
    return request_fill(kind, cache_.line_of(address), config_.geometry.line_bytes, when);
}

Access CacheController::fetch(Address address, const AccessTime& when, bool branched) {
    address = decoded(address);
    if (!memory_.contains(address, 1)) return when.present ? Access::nothing_there : Access::later;
    if (branched && config_.store_policy == StorePolicy::block_port && !port_free(when.at))
        return when.present ? await(Awaiting::completion, when) : Access::later;
    const Address line_address = cache_.line_of(address);
    // Code it has written itself is fetched from memory, so it must have got there.
    if (buffer_.touches(line_address, config_.geometry.line_bytes))
        return when.present ? await(Awaiting::drained, when) : Access::later;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        return Access::hit;
    }
    if (!when.present) return Access::later;
    if (take_fill(Kind::fetch, line_address, when)) return Access::made;
    return request_fill(Kind::fetch, line_address, config_.geometry.line_bytes, when);
}

Access CacheController::store(Address address, unsigned size, const AccessTime& when,
                              std::uint32_t value) {
    address = decoded(address);
    if (!when.present) return Access::later;
    if (store_posted_) {  // and waited for
        store_posted_ = false;
        return unanswered_ ? Access::nothing_there : Access::made;
    }
    const bool device = address >= kDeviceSpace;
    if (device && board_device_ && board_device_->answers(address)) {
        board_device_->write(id_, address, value, when.at);
        return Access::hit;
    }
    if (!device && !memory_.contains(address, size)) return Access::nothing_there;
    const bool to_the_end = device || config_.store_policy == StorePolicy::stall;
    if (to_the_end || config_.store_policy == StorePolicy::block_port) {
        if (!port_free(when.at)) return await(Awaiting::completion, when);
    } else if (buffer_.size() >= config_.write_buffer_depth) {
        return await(Awaiting::slot, when);
    }
    buffer_.push(address, size, value);
    Line* const line = device ? nullptr : cache_.find(address);
    if (line) cache_.use(*line, when.at);
    const Kind kind =
        device ? Kind::io_write : protocol_->store(line ? line->state : LineState::invalid);
    post(kind, address, size, value, when);
    if (!to_the_end) return Access::made;
    store_posted_ = true;
    unanswered_ = false;
    return await(Awaiting::completion, when);
}

Access CacheController::locked_load(Address address, unsigned size, const AccessTime& when,
                                    std::uint32_t& value) {
    address = decoded(address);
    if (!when.present) return Access::later;
    if (address >= kDeviceSpace || !memory_.contains(address, size)) return Access::nothing_there;
    const Address line = cache_.line_of(address);
    if (take_fill(Kind::locked_read, line, when)) {
        if (std::find(locked_.begin(), locked_.end(), line) == locked_.end())
            locked_.push_back(line);
        value = peek(address, size);
        return Access::made;
    }
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!buffer_.empty()) return await(Awaiting::drained, when);
    if (std::find(locked_.begin(), locked_.end(), line) != locked_.end()) {
        value = peek(address, size);  // the other dword of an operand across two: already here
        return Access::hit;
    }
    return request_fill(Kind::locked_read, line, config_.geometry.line_bytes, when);
}

Access CacheController::locked_store(Address address, unsigned size, const AccessTime& when,
                                     std::uint32_t value) {
    address = decoded(address);
    if (!when.present) return Access::later;
    if (store_posted_) {
        store_posted_ = false;
        return Access::made;
    }
    buffer_.push(address, size, value);
    if (Line* line = cache_.find(address)) cache_.use(*line, when.at);
    post(Kind::locked_store, address, size, value, when);
    store_posted_ = true;
    unanswered_ = false;
    return await(Awaiting::completion, when);
}

void CacheController::unlock(const AccessTime& when) {
    for (const Address line : locked_) post(Kind::unlock, line, 0, 0, when);
    locked_.clear();
}

void CacheController::unlock(Address address, const AccessTime& when) {
    const Address line = cache_.line_of(decoded(address));
    const auto held = std::find(locked_.begin(), locked_.end(), line);
    if (held == locked_.end())
        impossible("port {} unlocks {:#x}, which it has not locked", id_, line);
    locked_.erase(held);
    post(Kind::unlock, line, 0, 0, when);
}

Access CacheController::device_load(Address address, unsigned size, const AccessTime& when,
                                    std::uint32_t& value) {
    if (decoded(address) != address) return load(decoded(address), size, when, value);
    if (board::answers(address)) {
        value = board::read(address, size, when.at, id_, config_.processors);
        return Access::hit;
    }
    if (!when.present) return Access::later;
    if (board_device_ && board_device_->answers(address)) {
        value = board_device_->read(id_, address, size, when.at);
        return Access::hit;
    }
    if (take_fill(Kind::io_read, address, when)) {
        value = fill_.io_value;
        return unanswered_ ? Access::nothing_there : Access::made;
    }
    if (!port_free(when.at)) return await(Awaiting::completion, when);
    return request_fill(Kind::io_read, address, size, when);
}

Access CacheController::request_fill(Kind kind, Address address, unsigned size,
                                     const AccessTime& when) {
    fill_ = Fill{};
    fill_.kind = kind;
    fill_.address = address;
    unanswered_ = false;
    post(kind, address, size, 0, when);
    return await(Awaiting::fill, when);
}

// The reply to the read that the processor asked for and waited for. The line is kept unless it
// has changed on its way; the access gets memory's present datum in any case, which is in order,
// since it is made now, and makes progress certain.
bool CacheController::take_fill(Kind kind, Address address, const AccessTime& when) {
    if (!fill_.arrived || fill_.kind != kind) return false;
    if (kind != Kind::io_read && fill_.address != cache_.line_of(address)) return false;
    fill_.arrived = false;
    fill_.under_way = false;
    if (kind == Kind::io_read) return true;
    const LineState state = protocol_->filled(kind);
    Line* const here = cache_.find(fill_.address);
    if (here)
        cache_.use(*here, when.at);
    else if (!fill_.snooped && state != LineState::invalid)
        cache_.install(fill_.address, state, when.at);
    return true;
}

Access CacheController::await(Awaiting what, const AccessTime& when) {
    awaiting_ = what;
    if (what == Awaiting::completion && buffer_.empty()) {
        observer_.served(id_, when.at);
        wake(stores_complete_at_);
    } else {
        observer_.waiting(id_, when.at);
    }
    return Access::waiting;
}

void CacheController::wake(Time at) {
    awaiting_ = Awaiting::nothing;
    waiter_.wake(id_, clock_.edge_at_or_after(at));
}

void CacheController::post(Kind kind, Address address, unsigned size, std::uint32_t value,
                           const AccessTime& when) {
    Request request;
    request.kind = kind;
    request.activity = when.activity;
    request.size = static_cast<std::uint8_t>(size);
    request.address = address;
    request.value = value;
    request.posted = when.at;
    bus_.post(id_, request);
}

void CacheController::granted(const Request& request, bool answered, Time at) {
    if (!answered) unanswered_ = true;
    if (has_reply(request.kind)) {
        fill_.under_way = true;
        observer_.served(id_, at);
        return;
    }
    if (request.kind == Kind::unlock) return;
    buffer_.pop();
    stores_complete_at_ = at + config_.store_completion_cycles * config_.bus_period;
    if (awaiting_ == Awaiting::slot || (awaiting_ == Awaiting::drained && buffer_.empty())) {
        wake(at);
    } else if (awaiting_ == Awaiting::completion && buffer_.empty()) {
        observer_.served(id_, at);
        wake(stores_complete_at_);
    }
}

void CacheController::replied(const Request&, std::uint32_t io_value, Time arrives) {
    fill_.arrived = true;
    fill_.io_value = io_value;
    wake(arrives);
}

void CacheController::snoop(Kind kind, Address address, Time at) {
    Line* const line = cache_.find(address);
    const LineState state = line ? line->state : LineState::valid;
    const LineState then = protocol_->snooped(state, kind);
    if (then == state) return;
    if (snoop_hook_) snoop_hook_->before_change(address, line, at);
    if (line) {
        if (then == LineState::invalid)
            Cache::drop(*line);
        else
            line->state = then;
    } else if (fill_.under_way && cache_.line_of(address) == fill_.address) {
        fill_.snooped = true;
    }
}

void CacheController::own_code_written(Address address, Time at) {
    if (snoop_hook_) snoop_hook_->before_change(address, cache_.find(address), at);
}

std::uint32_t CacheController::peek(Address address, unsigned size) const {
    address = decoded(address);
    if (!memory_.contains(address, size)) return 0;
    const std::uint32_t value = memory_.read(address, size);
    return buffer_.empty() ? value : buffer_.over(address, size, value);
}

}  // namespace symsim
