// SPDX-License-Identifier: MIT
// The side of a cache controller that the interconnect sees: the lines, the stores and the fill
// under way, and what becomes of them when a transaction of this port is granted, answered and
// replied to, or when another port's transaction is snooped.
//
// It is the lowest layer of CacheController (controller.h).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/cache.h"
#include "sim/cache/cache_config.h"
#include "sim/cache/store_port.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/port.h"
#include "sim/interconnect/request.h"
#include "sim/protocol/protocol.h"
#include "sim/protocol/protocol_rows.h"

namespace symsim {

// What a processor waits for.
enum class Awaiting : std::uint8_t {
    nothing,
    fill,        // the reply to its read
    slot,        // a free place in the write buffer
    drained,     // an empty write buffer
    completion,  // all its stores complete
    line,        // a line that is arriving
};

// The read that a processor waits for, from its request until the access that asked for it takes
// it. A processor has one such read at a time.
//
//     request()    answered()              arrive()    take()
//     |            |                       |           |
//     requested    state is known          arrived     line in the cache
//                  |<-- others may snoop the line: snooped() -->|
class Fill {
  public:
    void request(TransactionKind kind, Address address) {
        if (under_way() && !arrived_)
            impossible("a read of {:#x} while one of {:#x} is under way", address, address_);
        *this = Fill{};
        kind_ = kind;
        address_ = address;
    }
    // The transaction takes effect. `shared`: another cache has the line.
    void answered(const Protocol& protocol, bool shared) {
        state_ = protocol.filled(kind_, shared);
        under_way_ = true;
    }
    // Another cache's transaction for the line leaves it in the state `next`, before it has been
    // installed.
    void snooped(LineState next) { state_ = next; }
    void arrive(Address address, std::uint32_t io_value) {
        if (!under_way_ || arrived_)
            impossible("a reply of {:#x} to a read of {:#x} that {}", address, address_,
                       arrived_ ? "has arrived" : "is not granted");
        arrived_ = true;
        io_value_ = io_value;
    }
    // The access that has waited for the data makes use of them.
    void take() { under_way_ = arrived_ = false; }

    // Answered, and not taken yet.
    bool under_way() const { return under_way_; }
    // It waits to be taken.
    bool arrived() const { return arrived_; }
    // The state in which the line will be installed. Invalid: it will not be. A line that is
    // invalidated on its way still gives the waiting access its datum.
    LineState state() const { return state_; }
    TransactionKind kind() const { return kind_; }
    Address address() const { return address_; }
    std::uint32_t io_value() const { return io_value_; }

  private:
    bool under_way_ = false;
    bool arrived_ = false;
    LineState state_ = LineState::invalid;
    TransactionKind kind_ = TransactionKind::read;
    Address address_ = 0;
    std::uint32_t io_value_ = 0;
};

class alignas(64) CachePort : public Port {
  public:
    CachePort(ProcessorId id, const ControllerConfig& config, const Protocol& protocol,
              Interconnect& interconnect);

    Cache& cache() { return cache_; }
    const Memory& memory() const { return memory_; }
    // Where the bytes of a physical address are. The address changes only if it is in the alias
    // that maps a ROM a second time (RomAlias). The functions of the controller call it themselves.
    // Callers that keep data by address, such as decoded code, call it first.
    Address decoded(Address physical) const {
        return physical >= kDeviceSpace ? config_.rom.in_memory(physical) : physical;
    }
    // The engine that drives the processor, before the first access.
    void connect(Waiter& waiter) { waiter_ = &waiter; }
    // Whether a processor that runs ahead may post requests speculatively, and wait speculatively.
    void post_ahead(bool allowed) { ahead_.posts = allowed; }
    // The processor executes again what it has executed speculatively before.
    void repeat(bool on) { ahead_.repeats = on; }
    // The time of the last request that was posted speculatively; it may be later than commit time.
    Time posted_ahead_at() const { return ahead_.posted_at; }
    // Opens or closes a page of memory, at commit time.
    void set_page(Address address, PageUse use, Time at) {
        interconnect_.set_page(address, use, at, id_);
    }

    // --- for the interconnect ------------------------------------------------------------------
    bool decides_at_grant() const override { return protocol_.has_own_lines(); }
    bool installs_stored(const Request& request) const override {
        return is_store(request.kind) && request.size == cache_.line_bytes() &&
               protocol_.stored_whole(false) != LineState::invalid;
    }
    std::optional<TransactionKind> needs(const Request& request, Time at) override;
    void granted(const Request& request, Time at) override;
    void answered(const Request& request, bool mapped, bool shared, Time at) override;
    void granted_and_answered(const Request& request, bool mapped, bool shared, Time at) override;
    Time replied(const Request& request, std::uint32_t io_value, Time arrives) override;
    bool watches(TransactionKind kind) const override;
    bool reads_become_silent() const override { return protocol_.reads_become_silent(); }
    Snooped snoop(TransactionKind kind, Address address, bool changes, Time at) override;
    void roll_back_line(Address address, Time at) override;
    void roll_back(Time at) override;
    std::uint32_t lines_of(Address first, std::uint32_t bytes) const override {
        return cache_.lines_of(first, bytes);
    }

  protected:
    // Accesses that commit time has not reached.
    struct Ahead {
        bool posts = false;    // requests may be posted speculatively, and waits begun
        bool repeats = false;  // the processor executes again what it has executed speculatively
        Time posted_at = -1;   // of the last request that was posted speculatively
    };

    bool own_line(const Line& line) const { return protocol_.writable(line.state); }
    void write_line(Line& line, Address address, unsigned size, std::uint32_t value) {
        line.state = Protocol::kWritten;
        memory_.write(address, size, value);
    }
    void install(Address line, LineState state, Time at, Activity activity);
    void post(TransactionKind kind, Address address, unsigned size, std::uint32_t value,
              const AccessTime& when, bool ends_lock = false);
    Access await(Awaiting what, const AccessTime& when);
    // The processor may ask again at the first edge of its clock from `at` on. Returns the edge.
    Time wake(Time at) {
        const Time edge = clock_.edge_at_or_after(at);
        awaiting_ = Awaiting::nothing;
        waiter_->wake(edge);
        return edge;
    }

    // Members that each access needs come first, to occupy few lines of the host's cache.
    ProcessorId id_;
    bool blocks_port_;     // a store under way occupies the cache port
    bool buffers_stores_;  // a store to memory needs only the free port to be buffered
    Ahead ahead_;
    StorePort stores_;
    Awaiting awaiting_ = Awaiting::nothing;
    Clock clock_;  // of the processor
    Waiter* waiter_ = nullptr;
    StoreLog* store_log_ = nullptr;
    Protocol protocol_;
    Cache cache_;
    Memory& memory_;
    Interconnect& interconnect_;
    Time hit_wait_;
    Time store_completion_, upgrade_completion_;

    Fill fill_;
    bool exchanges_;               // exchanges are made by one update (UpdateExchange)
    std::uint32_t exchanged_ = 0;  // what the locked store granted last has replaced
    bool unmapped_ = false;        // no device answered the last device access
    ControllerConfig config_;

  private:
    template <bool kGranted, bool kAnswered>
    void proceed(const Request& request, bool mapped, bool shared, Time at);
    void store_performed(const Request& request, bool shared, Time at, bool is_served);
    void store_made_in_cache(Time at);
    const Protocol::Snoop& snooped(LineState own, TransactionKind kind, bool changes) const;
};

// Inline, so that the compiler builds the request in its place in the queue.
[[gnu::always_inline]] inline void CachePort::post(TransactionKind kind, Address address,
                                                   unsigned size, std::uint32_t value,
                                                   const AccessTime& when, bool ends_lock) {
    if (!when.committed) ahead_.posted_at = when.at;
    Request request;
    request.kind = kind;
    request.activity = when.activity;
    request.size = static_cast<std::uint8_t>(size);
    request.address = address;
    request.value = value;
    request.posted = when.at;
    request.ends_lock = ends_lock;
    interconnect_.post(id_, request);
}

}  // namespace symsim
