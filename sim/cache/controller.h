// SPDX-License-Identifier: MIT
// The cache controller of one processor: the cache's tags, the write buffer, and the port to the
// bus. What a coherence protocol decides is in sim/protocol/.
//
// Who calls it
//   - The processor asks for one access at a time, and may have to ask again: access.h.
//   - The bus calls the functions of Port at its edges, in order of time: needs() and granted()
//     for the oldest request of this port, replied() for its read, snoop() for transactions of
//     others.
//   - The fast engine lets processors run ahead of the bus. The controller calls it as SnoopHook
//     before a line changes that the processor may have used. Stores that may have to be undone go
//     to a StoreLog.
//
// Terms
//   own line    A line in a state in which stores are made in the cache, without a transaction:
//               Protocol::writable().
//   granted     The bus has taken the store.
//   complete    The store is over: bus.store_completion_cycles after its grant, or
//               upgrade_completion_cycles for an upgrade. A read-exclusive completes when its line
//               arrives. cache.store_policy says who waits for it.
//   cache port  Occupied from the posting of a store until its completion. Under the store policy
//               block-port, loads, stores and fetches after a branch wait until it is free.
//
// An access lies within one aligned dword; the processor splits others. docs/how-it-works/model.md
// ("Cache") describes the model.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/cache.h"
#include "sim/cache/controller_config.h"
#include "sim/cache/fill.h"
#include "sim/cache/snoop_hook.h"
#include "sim/cache/store_log.h"
#include "sim/cache/write_buffer.h"
#include "sim/devices/board.h"
#include "sim/devices/sync_bus.h"
#include "sim/events/observer.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/port.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/rom_alias.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"
#include "sim/protocol/protocol.h"

namespace symsim {

class alignas(64) CacheController final : public Port {
  public:
    CacheController(ProcessorId id, const ControllerConfig& config, const Protocol& protocol,
                    Interconnect& interconnect, Observer& observer, Waiter& waiter);

    // --- for the processor ---------------------------------------------------------------------
    Access load(Address address, unsigned size, const AccessTime& when, std::uint32_t& value);
    Access store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    // A locked load locks the line's address. It brings the line over the bus unless it is an own
    // line. A locked store waits for its completion. After the instruction's last locked store
    // comes unlock().
    Access locked_load(Address address, unsigned size, const AccessTime& when,
                       std::uint32_t& value);
    Access locked_store(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);
    void unlock(const AccessTime& when);
    // Whether exchange() may be called (UpdateExchange::one_update).
    bool exchanges() const { return exchanges_; }
    // The address of the exchange whose update is posted, and that has not been made yet; or
    // kNoExchange.
    static constexpr Address kNoExchange = ~Address{0};  // where there is no memory
    Address exchanging() const { return exchanging_; }
    // An exchange by one update: stores `value` over the bus. `before` is what memory and all
    // copies had when the bus granted the store. A line that is not in the cache is read first. No
    // answer: the line is an own line, or there is no memory; then use locked_load() and
    // locked_store().
    std::optional<Access> exchange(Address address, unsigned size, const AccessTime& when,
                                   std::uint32_t value, std::uint32_t& before);
    // Unlocks one line only: after a locked update of a page table or a descriptor, which the
    // processor makes on its own. The instruction may hold other locks.
    void unlock(Address address, const AccessTime& when);
    // The prefetcher enters the line of `address`. After a branch it needs the cache port now. In
    // sequence it has run ahead, and used the port earlier.
    Access fetch(Address address, const AccessTime& when, bool branched);

    // Whether no store occupies the cache port at `at`.
    bool port_free(Time at) const { return at >= port_free_from_; }
    // kNever: not known yet, since a store waits for its grant.
    Time port_free_from() const { return port_free_from_; }
    // The reply to the processor's read has arrived; the access that asked for it will take it.
    bool fill_arrived() const { return fill_.arrived(); }
    // The fast path of fetches and loads: the port is free, and the cache contains the line. If one
    // of these returns false, fetch() or load() decides.
    bool fetch_hits(Address address, Time at) { return port_free(at) && hits(address, at); }
    // A fetch in sequence does not need the port. But it must wait for code that the processor
    // itself has written, until that has left the write buffer.
    bool queue_hits(Address line, Time at) {
        if (!port_free(at) &&
            (protocol_.has_own_lines() || buffer_.touches(line, cache_.line_bytes())))
            return false;
        return hits(line, at);
    }
    bool load_hits(Address address, unsigned size, Time at, std::uint32_t& value) {
        if (!fetch_hits(address, at)) return false;
        value = memory_.read(address, size);
        return true;
    }

    // Whether load() would answer `waiting` or `retry` for a load that load_hits() refused. Checks
    // only simple cases: false means unknown.
    bool load_waits(Address address, Time at) {
        if (!blocks_port_ || address >= kDeviceSpace) return false;
        return !port_free(at) || (!fill_.arrived() && !cache_.find(address));
    }

    // The fast path of a store to memory: it can be put into the write buffer at once, by
    // buffer_store(). store() would do the same after more checks.
    bool can_buffer_store(Address address, unsigned size, const AccessTime& when) const {
        return buffers_stores_ && port_free(when.at) && (when.committed || posts_ahead_) &&
               !store_posted_ && address < kDeviceSpace && memory_.contains(address, size);
    }
    void buffer_store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    // The fast path of a store to an own line: returns the line, for store_in_line(), which costs a
    // hit. store() would do the same after more checks. Null: call store().
    Line* owned_line_for_store(Address address, Time at) {
        if (!protocol_.has_own_lines() || store_posted_ || !port_free(at)) return nullptr;
        Line* const line = cache_.find(address);
        if (!line || !own_line(*line) || interconnect_.code().may_cover(address, 1)) return nullptr;
        return line;
    }
    void store_in_line(Line& line, Address address, unsigned size, const AccessTime& when,
                       std::uint32_t value) {
        if (!when.committed) store_log_->before_store(line, address, size);
        cache_.use(line, when.at);
        write_line(line, address, size, value);
    }

    // Where the bytes of a physical address are. The address changes only if it is in the alias
    // that maps a ROM a second time (RomAlias). The functions above call it themselves. Callers
    // that keep data by address, such as decoded code, call it first.
    Address decoded(Address physical) const {
        return physical >= kDeviceSpace ? config_.rom.in_memory(physical) : physical;
    }

    // The value that the processor itself would read now; for observers, no access is made.
    std::uint32_t peek(Address address, unsigned size) const;
    // The same at `commit_time`: first rolls back what other processors have stored speculatively
    // to own lines.
    std::uint32_t peek_at(Address address, unsigned size, Time commit_time);
    // peek() of many bytes, all in memory.
    void peek_bytes(Address address, std::uint8_t* bytes, unsigned count) const;
    Time hit_wait() const { return hit_wait_; }
    Cache& cache() { return cache_; }

    // --- for the engine ------------------------------------------------------------------------
    // Whether a processor that runs ahead may post requests speculatively, and wait speculatively.
    void post_ahead(bool allowed) { posts_ahead_ = allowed; }
    // The processor executes again what it has executed speculatively before.
    void repeat(bool on) { repeats_ = on; }
    // The time of the last request that was posted speculatively; it may be later than commit time.
    Time posted_ahead_at() const { return posted_ahead_at_; }
    // The processor does not wait. Withdraws its request if that was posted for `at` or later,
    // speculatively.
    void withdraw(Time at);
    // Undoes a store to an own line: the line had `state` before, and memory `value`.
    void undo_store(Line& line, LineState state, Address address, unsigned size,
                    std::uint32_t value) {
        line.state = state;
        memory_.write(address, size, value);
        interconnect_.code().written(address, size);
    }
    const Memory& memory() const { return memory_; }
    void set_board_device(BoardDevice* device) { board_device_ = device; }
    // Only on a machine with a synchronisation bus.
    void set_sync_bus(SyncBus* sync_bus) { sync_bus_ = sync_bus; }
    void set_snoop_hook(SnoopHook* hook) { snoop_hook_ = hook; }
    // Needed before the first access that commit time has not reached.
    void set_store_log(StoreLog& log) { store_log_ = &log; }
    // For a checkpoint file: to be called when nothing is speculative.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(cache_, buffer_, awaiting_, fill_, stores_complete_at_, port_free_from_, arriving_,
                store_posted_, awaits_own_line_, unmapped_, exchanging_, exchanged_, locked_);
        // On a machine without the bus the file is as short as before.
        if (sync_bus_) archive(sync_made_, sync_value_);
    }
    // Throws StateError unless the loaded state is one of this port at `at`, and fits that of the
    // bus. `waits`: the processor waits until the bus lets the controller wake it.
    void check_loaded(Time at, bool waits) const;

    // --- for the bus -----------------------------------------------------------------------------
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

  private:
    // What the processor waits for.
    enum class Awaiting : std::uint8_t {
        nothing,
        fill,        // the reply to its read
        slot,        // a free place in the write buffer
        drained,     // an empty write buffer
        completion,  // all its stores complete
        line,        // a line that is arriving
    };
    struct Locked {
        Address line;
        bool on_bus;  // locked by a locked read over the bus, not within the cache
        // Its operand is in one dword, so the instruction makes one store to the line.
        bool one_store = true;
        bool ended_by_store = false;  // that store unlocks the line (Request::ends_lock)

        template <class Archive>
        void serialize(Archive& archive) {
            archive(line, on_bus, one_store, ended_by_store);
        }
    };

    Access store_owned(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    Access store_slow(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    void enqueue_store(TransactionKind kind, Address address, unsigned size, std::uint32_t value,
                       const AccessTime& when);
    Access cached(Address address, unsigned size, const AccessTime& when, TransactionKind kind,
                  std::uint32_t& value);
    Access device_load(Address address, unsigned size, const AccessTime& when,
                       std::uint32_t& value);
    Access sync_access(Address address, const AccessTime& when, bool write, std::uint32_t& value);
    Access fetch_line(Address address, const AccessTime& when);
    Access request_fill(TransactionKind kind, Address address, unsigned size,
                        const AccessTime& when);
    bool take_fill(TransactionKind kind, Address address, const AccessTime& when);
    std::uint32_t datum(Address address, unsigned size) const;
    void install(Address line, LineState state, Time at, Activity activity);
    bool store_if_owned(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);
    bool own_line(const Line& line) const { return protocol_.writable(line.state); }
    void write_line(Line& line, Address address, unsigned size, std::uint32_t value) {
        line.state = Protocol::kWritten;
        memory_.write(address, size, value);
    }
    template <bool kGranted, bool kAnswered>
    void proceed(const Request& request, bool mapped, bool shared, Time at);
    void store_performed(const Request& request, bool shared, Time at, bool is_served);
    void store_completes(Time at);
    const Protocol::Snoop& snooped(LineState own, TransactionKind kind, bool changes) const;
    const Locked* find_lock(Address line) const;
    Locked* find_lock(Address line) {
        return const_cast<Locked*>(std::as_const(*this).find_lock(line));
    }
    void release_lock(const Locked& lock, const AccessTime& when);
    bool store_ends_lock(Address address);
    // Whether the line of `address` is being brought for a store of this port: its reply is on the
    // bus, and has not arrived at `at`.
    bool arriving(Address address, Time at) const {
        return at < stores_complete_at_ && cache_.line_of(address) == arriving_;
    }
    // While a store waits for its line, the cache uses no line speculatively: which line the
    // arriving one evicts depends on the times of last use.
    bool too_early(const AccessTime& when) const {
        return protocol_.has_own_lines() && !when.committed && !buffer_.empty();
    }
    bool hits(Address address, Time at) {
        Line* const line = cache_.find(address);
        return line && cache_.uses_at_once(*line, at);
    }
    // Whether a request for an access at this time can be posted: at commit time always, and
    // speculatively if no store occupies the port.
    bool may_post(const AccessTime& when) const {
        return when.committed || (posts_ahead_ && port_free(when.at));
    }
    // Whether stores may be posted speculatively: only where they are made one at a time, and all
    // over the bus.
    bool stores_ahead() const {
        return !protocol_.has_own_lines() && config_.store_policy != StorePolicy::buffered;
    }
    Access await(Awaiting what, const AccessTime& when);
    Access await_port(const AccessTime& when);
    void port_changed() { port_free_from_ = buffer_.empty() ? stores_complete_at_ : kNever; }
    void waits_at(Time at) {
        if (snoop_hook_) snoop_hook_->waits_at(at);
    }
    void served(Time at) {
        if (snoop_hook_) return snoop_hook_->served(at);
        observer_.served(id_, at);
    }
    void wake(Time at);
    void wake_on_edge(Time at);
    void check_loaded_lines() const;
    void check_loaded_stores(Time at) const;
    void check_loaded_fill() const;
    void check_loaded_locks() const;
    void post(TransactionKind kind, Address address, unsigned size, std::uint32_t value,
              const AccessTime& when);

    // Members that each access needs come first, to occupy few lines of the host's cache.
    ProcessorId id_;
    Awaiting awaiting_ = Awaiting::nothing;
    bool blocks_port_;              // a store under way occupies the cache port
    bool buffers_stores_;           // a store to memory needs only the free port to be buffered
    bool store_posted_ = false;     // the store the processor waits for is in the write buffer
    bool posts_ahead_ = false;      // see post_ahead()
    bool repeats_ = false;          // see repeat()
    bool awaits_own_line_ = false;  // the oldest store has been granted, its line is on its way
    Address arriving_ = Line::kNoAddress;  // the line brought for the last store granted
    Time stores_complete_at_ = 0;          // when all granted stores are complete
    Time port_free_from_ = 0;              // kNever: a store in the buffer waits for its grant
    Time posted_ahead_at_ = -1;            // see posted_ahead_at()
    SnoopHook* snoop_hook_ = nullptr;
    StoreLog* store_log_ = nullptr;
    Protocol protocol_;
    Cache cache_;
    WriteBuffer buffer_;
    Memory& memory_;
    Interconnect& interconnect_;
    Observer& observer_;
    Waiter& waiter_;
    Time hit_wait_;
    Time store_completion_, upgrade_completion_;
    Clock clock_;

    Fill fill_;
    bool exchanges_;                    // see exchanges()
    Address exchanging_ = kNoExchange;  // see exchanging()
    std::uint32_t exchanged_ = 0;       // what the locked store granted last has replaced
    bool unmapped_ = false;             // no device answered the last device access
    ControllerConfig config_;
    BoardDevice* board_device_ = nullptr;
    SyncBus* sync_bus_ = nullptr;
    bool sync_made_ = false;        // the operation that the processor waits for has been made
    std::uint32_t sync_value_ = 0;  // its answer
    std::vector<Locked> locked_;    // lines whose address this port has locked
};

// Inline, so that the compiler builds the request in its place in the queue.
[[gnu::always_inline]] inline void CacheController::post(TransactionKind kind, Address address,
                                                         unsigned size, std::uint32_t value,
                                                         const AccessTime& when) {
    if (!when.committed) posted_ahead_at_ = when.at;
    Request request;
    request.kind = kind;
    request.activity = when.activity;
    request.size = static_cast<std::uint8_t>(size);
    request.address = address;
    request.value = value;
    request.posted = when.at;
    request.ends_lock = kind == TransactionKind::locked_store && store_ends_lock(address);
    interconnect_.post(id_, request);
}

// Puts a store into the write buffer and posts it to the bus. Inline, so that the compiler knows
// the kind of store.
[[gnu::always_inline]] inline void CacheController::enqueue_store(TransactionKind kind,
                                                                  Address address, unsigned size,
                                                                  std::uint32_t value,
                                                                  const AccessTime& when) {
    buffer_.push(address, size, value);
    port_free_from_ = kNever;
    Line* const line = is_io(kind) ? nullptr : cache_.find(address);
    if (line) cache_.use(*line, when.at);
    post(kind, address, size, value, when);
}

[[gnu::always_inline]] inline void CacheController::buffer_store(Address address, unsigned size,
                                                                 const AccessTime& when,
                                                                 std::uint32_t value) {
    enqueue_store(TransactionKind::store, address, size, value, when);
}

}  // namespace symsim
