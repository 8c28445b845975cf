// SPDX-License-Identifier: MIT
// The cache controller for the processor: loads, fetches, locked accesses, and waits. Stores are in
// controller_stores.cpp, the functions called by the bus in controller_bus.cpp.
#include "sim/cache/controller.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"

namespace symsim {

CacheController::CacheController(ProcessorId id, const ControllerConfig& config,
                                 const Protocol& protocol, Interconnect& interconnect,
                                 Observer& observer, Waiter& waiter)
    : id_(id),
      protocol_(protocol),
      cache_(config.geometry),
      memory_(interconnect.memory()),
      interconnect_(interconnect),
      observer_(observer),
      waiter_(waiter),
      hit_wait_(Clock(config.processor_period).cycles(config.hit_wait_clocks)),
      store_completion_(Clock(config.bus_period).cycles(config.store_completion_cycles)),
      upgrade_completion_(Clock(config.bus_period).cycles(config.upgrade_completion_cycles)),
      clock_(config.processor_period),
      exchanges_(protocol.has_own_lines() && !protocol.lines_have_owners() &&
                 config.update_exchange == UpdateExchange::one_update),
      config_(config) {
    // Without a write buffer the processor itself must wait for each store.
    if (config_.write_buffer_depth == 0) config_.store_policy = StorePolicy::stall;
    blocks_port_ = config_.store_policy == StorePolicy::block_port;
    buffers_stores_ = !protocol.has_own_lines() && !protocol.allocates() && blocks_port_;
    interconnect_.attach(*this);
}

Access CacheController::load(Address address, unsigned size, const AccessTime& when,
                             std::uint32_t& value) {
    if (address >= kDeviceSpace) return device_load(address, size, when, value);
    if (!memory_.contains(address, size)) return when.committed ? Access::unmapped : Access::retry;
    return cached(address, size, when, TransactionKind::read, value);
}

// The value that the processor reads from memory: the bytes in memory, and over them the bytes of
// its stores that are still in the write buffer.
inline std::uint32_t CacheController::datum(Address address, unsigned size) const {
    const std::uint32_t value = memory_.read(address, size);
    return buffer_.empty() ? value : buffer_.over(address, size, value);
}

// A hit may be speculative: the line stays until a snoop takes it, and the snoop rolls the access
// back. The port must be free: when it becomes free is not known before the store under way is
// granted.
Access CacheController::cached(Address address, unsigned size, const AccessTime& when,
                               TransactionKind kind, std::uint32_t& value) {
    if (blocks_port_ && !port_free(when.at)) return await_port(when);
    if (too_early(when)) return Access::retry;
    if (arriving(address, when.at))
        return when.committed ? await(Awaiting::line, when) : Access::retry;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        value = datum(address, size);
        return Access::hit;
    }
    if (!may_post(when)) return Access::retry;
    if (take_fill(kind, address, when)) {
        value = datum(address, size);
        return Access::made;
    }
    const Address line = cache_.line_of(address);
    if (!buffer_.empty()) {
        switch (buffer_.overlap(address, size)) {
            case WriteBuffer::Overlap::whole:
                value = buffer_.over(address, size, 0);
                return Access::hit;
            case WriteBuffer::Overlap::part:
                return await(Awaiting::drained, when);
            case WriteBuffer::Overlap::none:
                break;
        }
        // A store in the buffer will bring this line.
        if (protocol_.lines_have_owners() && buffer_.touches(line, cache_.line_bytes()))
            return await(Awaiting::drained, when);
    }
    if (!protocol_.keeps_lines()) return request_fill(kind, address, size, when);
    return request_fill(kind, line, cache_.line_bytes(), when);
}

Access CacheController::fetch(Address address, const AccessTime& when, bool branched) {
    address = decoded(address);
    if (!memory_.contains(address, 1)) return when.committed ? Access::unmapped : Access::retry;
    if (branched && blocks_port_ && !port_free(when.at)) return await_port(when);
    return fetch_line(address, when);
}

[[gnu::noinline]] Access CacheController::fetch_line(Address address, const AccessTime& when) {
    const Address line_address = cache_.line_of(address);
    // Code is fetched from memory, so code that the processor itself has written must be there.
    if (buffer_.touches(line_address, cache_.line_bytes()))
        return when.committed ? await(Awaiting::drained, when) : Access::retry;
    if (too_early(when)) return Access::retry;
    if (arriving(address, when.at))
        return when.committed ? await(Awaiting::line, when) : Access::retry;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        return Access::hit;
    }
    if (!may_post(when)) return Access::retry;
    if (take_fill(TransactionKind::fetch, line_address, when)) return Access::made;
    return request_fill(TransactionKind::fetch, line_address, cache_.line_bytes(), when);
}

Access CacheController::locked_load(Address address, unsigned size, const AccessTime& when,
                                    std::uint32_t& value) {
    address = decoded(address);
    const Address line = cache_.line_of(address);
    if (!when.committed && (protocol_.has_own_lines() || find_lock(line) || !may_post(when)))
        return Access::retry;
    if (address >= kDeviceSpace || !memory_.contains(address, size))
        return when.committed ? Access::unmapped : Access::retry;
    if (take_fill(TransactionKind::locked_read, line, when)) {
        if (!find_lock(line)) locked_.push_back({line, true});
        value = peek(address, size);
        return Access::made;
    }
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!buffer_.empty()) return await(Awaiting::drained, when);
    if (arriving(address, when.at)) return await(Awaiting::line, when);
    if (Locked* const lock = find_lock(line)) {
        lock->one_store = false;
        value = peek(address, size);  // second dword of an operand across two: the line is here
        return Access::hit;
    }
    Line* const here = protocol_.has_own_lines() ? cache_.find(line) : nullptr;
    if (here && own_line(*here)) {
        interconnect_.lock_in_cache(id_, line, when.at);
        locked_.push_back({line, false});
        cache_.use(*here, when.at);
        value = peek(address, size);
        return Access::hit;
    }
    return request_fill(TransactionKind::locked_read, line, cache_.line_bytes(), when);
}

void CacheController::unlock(const AccessTime& when) {
    for (const Locked& entry : locked_) release_lock(entry, when);
    locked_.clear();
}

void CacheController::release_lock(const Locked& lock, const AccessTime& when) {
    if (lock.ended_by_store) return;
    if (lock.on_bus && !protocol_.lines_have_owners())
        post(TransactionKind::unlock, lock.line, 0, 0, when);
    else
        interconnect_.release(id_, lock.line, lock.on_bus, when.at);
}

// Whether the locked store to `address`, which is about to be posted, ends the lock of its line
// when it is granted; if so, notes it in the lock. An operand in two lines holds two locks, until
// both stores are complete.
bool CacheController::store_ends_lock(Address address) {
    if (config_.unlock_policy == UnlockPolicy::cycle || protocol_.lines_have_owners() ||
        locked_.size() != 1)
        return false;
    Locked* const lock = find_lock(cache_.line_of(address));
    if (lock && lock->on_bus && lock->one_store) lock->ended_by_store = true;
    return lock && lock->ended_by_store;
}

const CacheController::Locked* CacheController::find_lock(Address line) const {
    const auto lock = std::find_if(locked_.begin(), locked_.end(),
                                   [=](const Locked& entry) { return entry.line == line; });
    return lock == locked_.end() ? nullptr : &*lock;
}

void CacheController::unlock(Address address, const AccessTime& when) {
    const Address line = cache_.line_of(decoded(address));
    const Locked* const lock = find_lock(line);
    if (lock == nullptr) impossible("port {} unlocks {:#x}, which it has not locked", id_, line);
    const Locked ended = *lock;
    locked_.erase(locked_.begin() + (lock - locked_.data()));
    release_lock(ended, when);
}

Access CacheController::device_load(Address address, unsigned size, const AccessTime& when,
                                    std::uint32_t& value) {
    if (decoded(address) != address) return load(decoded(address), size, when, value);
    if (board::answers(address)) {
        value = board::read(address, size, when.at, id_, config_.processors);
        return Access::hit;
    }
    if (!when.committed) return Access::retry;
    if (board_device_ && board_device_->answers(address)) {
        value = board_device_->read(id_, address, size, when.at);
        return Access::hit;
    }
    if (sync_bus_ && sync_bus_->answers(address, size))
        return sync_access(address, when, false, value);
    if (take_fill(TransactionKind::io_read, address, when)) {
        value = fill_.io_value();
        return unmapped_ ? Access::unmapped : Access::made;
    }
    if (!port_free(when.at)) return await(Awaiting::completion, when);
    return request_fill(TransactionKind::io_read, address, size, when);
}

// An operation on the synchronisation bus. It begins when all earlier stores are complete, so that
// who acquires a lock sees the stores of the section before. It is made at once (SyncBus), and the
// processor waits for the answer.
Access CacheController::sync_access(Address address, const AccessTime& when, bool write,
                                    std::uint32_t& value) {
    if (sync_made_) {
        sync_made_ = false;
        if (!write) value = sync_value_;
        return Access::made;
    }
    if (!port_free(when.at)) return await(Awaiting::completion, when);
    const SyncBus::Reply reply = write ? sync_bus_->write(id_, address, value, when.at)
                                       : sync_bus_->test_and_set(id_, address, when.at);
    sync_made_ = true;
    sync_value_ = reply.value;
    served(when.at);
    wake(reply.at);
    return Access::waiting;
}

Access CacheController::request_fill(TransactionKind kind, Address address, unsigned size,
                                     const AccessTime& when) {
    fill_.request(kind, address);
    unmapped_ = false;
    if (kind != TransactionKind::io_read) memory_.prefetch(address);
    post(kind, address, size, 0, when);
    return await(Awaiting::fill, when);
}

// Takes the reply to the read that the processor has waited for. The line is installed unless it
// was invalidated on its way. The access gets the datum that memory has now in any case. That is
// correct, since the access is made now, and it ensures progress.
bool CacheController::take_fill(TransactionKind kind, Address address, const AccessTime& when) {
    if (!fill_.arrived() || fill_.kind() != kind) return false;
    if (kind != TransactionKind::io_read &&
        cache_.line_of(fill_.address()) != cache_.line_of(address))
        return false;
    fill_.take();
    if (kind == TransactionKind::io_read) return true;
    if (fill_.state() != LineState::invalid)
        install(fill_.address(), fill_.state(), when.at, when.activity);
    return true;
}

void CacheController::install(Address line, LineState state, Time at, Activity activity) {
    if (Line* const here = cache_.find(line)) {
        here->state = state;
        cache_.use(*here, at);
        return;
    }
    const Line evicted = cache_.install(line, state, at);
    if (protocol_.dirty(evicted.state))
        post(TransactionKind::write_back, evicted.address, cache_.line_bytes(), 0,
             {at, true, activity});
}

// The port will be free when the stores under way are complete. A speculative access can begin its
// wait if the store has not been granted: then port_granted() will report the end of the wait, or
// that there is none.
Access CacheController::await_port(const AccessTime& when) {
    if (when.committed || (posts_ahead_ && !protocol_.has_own_lines() && !buffer_.empty()))
        return await(Awaiting::completion, when);
    return Access::retry;
}

Access CacheController::await(Awaiting what, const AccessTime& when) {
    awaiting_ = what;
    if (!when.committed) return Access::waiting;
    if (what == Awaiting::line || (what == Awaiting::completion && buffer_.empty())) {
        served(when.at);
        wake(stores_complete_at_);
    } else if (awaits_own_line_) {
        served(when.at);
    } else if (!snoop_hook_) {
        observer_.waiting(id_, when.at);
    }
    return Access::waiting;
}

void CacheController::wake(Time at) {
    wake_on_edge(clock_.edge_at_or_after(at));
}

void CacheController::wake_on_edge(Time at) {
    awaiting_ = Awaiting::nothing;
    waiter_.wake(id_, at);
}

void CacheController::withdraw(Time at) {
    awaiting_ = Awaiting::nothing;
    if (posted_ahead_at_ < at) return;
    posted_ahead_at_ = -1;
    if (is_store(interconnect_.withdraw(id_))) {
        buffer_.withdraw();
        store_posted_ = false;
        port_changed();
    }
}

std::uint32_t CacheController::peek(Address address, unsigned size) const {
    address = decoded(address);
    if (!memory_.contains(address, size)) return 0;
    return datum(address, size);
}

std::uint32_t CacheController::peek_at(Address address, unsigned size, Time commit_time) {
    if (protocol_.has_own_lines())
        for (const Address byte : {address, address + size - 1})
            interconnect_.roll_back_line(decoded(byte), commit_time, id_);
    return peek(address, size);
}

void CacheController::peek_bytes(Address address, std::uint8_t* bytes, unsigned count) const {
    std::copy_n(memory_.data() + address, count, bytes);
    if (!buffer_.touches(address, count)) return;
    for (unsigned i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(buffer_.over(address + i, 1, bytes[i]));
}

}  // namespace symsim
