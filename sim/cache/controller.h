// SPDX-License-Identifier: MIT
// The cache controller of one processor: cache, write buffer, and the port to the bus.
//
// A processor asks for one access at a time. It gets the datum, or is told to come back `later`
// (it ran ahead, and this can only be decided when the bus has come to that time), or to wait;
// then the controller calls its Waiter with the time at which to ask again. Asking again is the
// same call, so that an instruction can simply be executed again.
//
// Accesses lie within one aligned dword; the processor splits those that do not.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/bus/bus.h"
#include "sim/cache/cache.h"
#include "sim/cache/protocol.h"
#include "sim/cache/undo_log.h"
#include "sim/cache/write_buffer.h"
#include "sim/devices/board.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/rom_alias.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"

namespace symsim {

struct Config;

// Made by controller_config() from the keys of the config, and in no other way: a default here
// would be a second one beside the key's.
struct ControllerConfig {
    CacheGeometry geometry;
    Time processor_period;
    Time bus_period;
    std::uint32_t processors;
    std::uint32_t hit_wait_clocks;
    std::uint32_t write_buffer_depth;
    std::uint32_t store_completion_cycles;
    std::uint32_t upgrade_completion_cycles;
    StorePolicy store_policy;
    RomAlias rom;  // set by Machine, from the guest

  private:
    ControllerConfig() {}
    friend ControllerConfig controller_config(const Config&);
};

enum class Access : std::uint8_t {
    hit,      // made, at the cost of a cache hit
    made,     // made, and its cost has been waited for
    retry,    // ask again when the bus has come to this time
    waiting,  // the Waiter will be called
    unmapped,
};

// When an access is made, and by whom.
struct AccessTime {
    Time at;
    bool committed;  // the bus has come to `at`
    Activity activity;
};

class Waiter {
  public:
    virtual ~Waiter() = default;
    // The processor may ask again at `at`, an edge of its clock; never earlier than now.
    virtual void wake(ProcessorId processor, Time at) = 0;
};

// A place in what a processor has done ahead, to which that can be taken back.
struct WindowMark {
    Time start = 0;
    std::size_t uses = 0, stores = 0;  // made before
};

// Of an engine that lets processors run ahead. It tells observers when they wait.
class SnoopHook {
  public:
    virtual ~SnoopHook() = default;
    // Bytes of this line will change at `at`; `line` is the own copy, or null.
    virtual void before_change(Address address, const Line* line, Time at) = 0;
    // Whether instructions of this line, which the cache does not have, may still be executed.
    virtual bool executes_code(Address line) const = 0;
    // The bus grants something at `at`, and the processor waits.
    virtual void waits_at(Time at) = 0;
    // What it waits for is being served from `at` on, or has been since before.
    virtual void served(Time at) = 0;
    // It grants at `at` the store that keeps the processor from the cache port, or would once that
    // comes to it: the port is free at `free`, an edge of the processor's clock.
    virtual void port_granted(Time at, Time free) = 0;
};

class alignas(64) CacheController final : public BusPort {
  public:
    CacheController(ProcessorId id, const ControllerConfig& config, const Protocol& protocol,
                    Memory& memory, Bus& bus, Observer& observer, Waiter& waiter);

    // --- for the processor ---------------------------------------------------------------------
    Access load(Address address, unsigned size, const AccessTime& when, std::uint32_t& value);
    Access store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    // A locked read brings the line over the bus, unless it is this cache's own, and locks its
    // address; a locked store waits for its completion. The last is followed by unlock().
    Access locked_load(Address address, unsigned size, const AccessTime& when,
                       std::uint32_t& value);
    Access locked_store(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);
    void unlock(const AccessTime& when);
    // Of one line only: the processor's own locked update within an instruction that may hold
    // others.
    void unlock(Address address, const AccessTime& when);
    // The prefetcher enters the line of `address`. After a branch it needs the cache port at once;
    // otherwise it has long been there.
    Access fetch(Address address, const AccessTime& when, bool branched);

    // Without stores on their way that keep it from other accesses.
    bool port_free(Time at) const { return at >= port_free_from_; }
    // kNever: nobody knows yet.
    Time port_free_from() const { return port_free_from_; }
    // The read its processor waits for is there, to be taken by the access that asked for it.
    bool fill_arrived() const { return fill_.arrived; }
    // Fetches and loads of what needs no thought: no store is on its way, and the line is there.
    // False: to be asked for by the ways above.
    bool fetch_hits(Address address, Time at) { return port_free(at) && hits(address, at); }
    // In sequence the prefetcher has long been there; only code of its own that is on its way to
    // memory it must wait for.
    bool queue_hits(Address line, Time at) {
        if (!port_free(at) && (owns_ || buffer_.touches(line, cache_.line_bytes()))) return false;
        return hits(line, at);
    }
    bool load_hits(Address address, unsigned size, Time at, std::uint32_t& value) {
        if (!fetch_hits(address, at)) return false;
        value = memory_.read(address, size);
        return true;
    }

    // Whether a load that did not hit waits, or cannot be made yet, by all that needs no long
    // thought.
    bool load_waits(Address address, Time at) {
        if (!blocks_port_ || address >= kDeviceSpace) return false;
        return !port_free(at) || (!fill_.arrived && !cache_.find(address));
    }

    // A store to memory that is handed over at once, as most are: store() would come to the same,
    // having asked about all that does not hold here. Then buffer_store() does it.
    bool can_buffer_store(Address address, unsigned size, const AccessTime& when) const {
        return buffers_stores_ && port_free(when.at) && (when.committed || posts_ahead_) &&
               !store_posted_ && address < kDeviceSpace && memory_.contains(address, size);
    }
    void buffer_store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    // The line of its own that a store at `at` is made in, as most are that meet one: store() would
    // come to the same. Then store_in() does it, which costs a hit. Null: ask store().
    Line* owned_line_for_store(Address address, Time at) {
        if (!owns_ || store_posted_ || !port_free(at)) return nullptr;
        Line* const line = cache_.find(address);
        if (!line || !own_line(*line) || bus_.code().may_cover(address, 1)) return nullptr;
        return line;
    }
    void store_in_line(Line& line, Address address, unsigned size, const AccessTime& when,
                       std::uint32_t value) {
        if (!when.committed) undo_log_.add(line, address, size, memory_);
        cache_.use(line, when.at);
        write_line(line, address, size, value);
    }

    // Where the bytes of a physical address are: what this takes to another one is a second place
    // of a ROM. All of the above come through here themselves; who keeps something by address, as
    // decoded code, asks first.
    Address decoded(Address physical) const {
        return physical >= kDeviceSpace ? config_.rom.in_memory(physical) : physical;
    }

    // What the processor itself would read now, for observers only.
    std::uint32_t peek(Address address, unsigned size) const;
    // The same at the present, without what other processors have stored ahead in lines of theirs.
    std::uint32_t peek_at(Address address, unsigned size, Time commit_time);
    // The same as peek() of many bytes, all in memory.
    void peek_bytes(Address address, std::uint8_t* bytes, unsigned count) const;
    Time hit_wait() const { return hit_wait_; }
    Cache& cache() { return cache_; }

    // What the processor does ahead from now on can be taken back, until the next call.
    WindowMark begin_window(Time start) {
        cache_.begin_window(start);
        undo_log_.clear();
        return {start, 0, 0};
    }
    // Also by itself, without what it has done ahead before.
    WindowMark split_window(Time start) {
        cache_.split_window(start);
        return {start, cache_.uses(), undo_log_.size()};
    }
    // A processor that runs ahead may post what it will need, and wait ahead of the bus.
    void post_ahead(bool allowed) { posts_ahead_ = allowed; }
    // What is executed now was executed ahead before, and goes the same way again.
    void repeat(bool on) { repeats_ = on; }
    // When the last was, or will be, posted that was posted ahead.
    Time posted_ahead_at() const { return posted_ahead_at_; }
    // Takes back its waiting, and what it would post at `at` or later.
    void roll_back_wait(Time at);
    void roll_back(const WindowMark& to) {
        undo_log_.roll_back(to.stores, memory_, bus_.code());
        cache_.roll_back_uses(to.uses, to.start);
    }
    // All that has been used since `from`, behind `mark`, has been used again, `later` by that
    // much.
    void repeat_uses(const WindowMark& mark, Time from, Time later) {
        cache_.repeat_uses(mark.uses, from, later);
    }
    const Memory& memory() const { return memory_; }
    void set_board_device(BoardDevice* device) { board_device_ = device; }
    void set_snoop_hook(SnoopHook* hook) { snoop_hook_ = hook; }
    // With nothing ahead.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(cache_, buffer_, awaiting_, fill_, stores_complete_at_, port_free_from_, arriving_,
                store_posted_, owning_, unmapped_, locked_);
    }

    // --- for the bus -----------------------------------------------------------------------------
    bool decides_at_grant() const override { return owns_; }
    std::optional<TransactionKind> needs(const Request& request, Time at) override;
    void granted(const Request& request, bool answered, bool shared, Time at) override;
    Time replied(const Request& request, std::uint32_t io_value, Time arrives) override;
    bool watches(TransactionKind kind) const override;
    bool reads_become_silent() const override { return answers_.reads_become_silent(); }
    Snooped snoop(TransactionKind kind, Address address, bool changes, Time at) override;
    void roll_back_line(Address address, Time at) override;

  private:
    // What the processor waits for, when it waits.
    enum class Awaiting : std::uint8_t {
        nothing,
        fill,        // the reply to its read
        slot,        // a free place in the write buffer
        drained,     // an empty write buffer
        completion,  // all its stores complete
        line,        // a line that is arriving
    };
    // A read the processor waits for; the bus has one at a time of each processor.
    struct Fill {
        bool under_way = false;
        bool arrived = false;
        LineState state = LineState::invalid;  // in which it will be kept, if so: a line that
                                               // changes on its way gives this access its datum
        TransactionKind kind = TransactionKind::read;
        Address address = 0;
        std::uint32_t io_value = 0;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(under_way, arrived, state, kind, address, io_value);
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
    Access fetch_line(Address address, const AccessTime& when);
    Access request_fill(TransactionKind kind, Address address, unsigned size,
                        const AccessTime& when);
    bool take_fill(TransactionKind kind, Address address, const AccessTime& when);
    std::uint32_t datum(Address address, unsigned size) const;
    void install(Address line, LineState state, Time at, Activity activity);
    bool store_if_owned(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);
    bool own_line(const Line& line) const { return !answers_.store(line.state); }
    void write_line(Line& line, Address address, unsigned size, std::uint32_t value) {
        line.state = LineState::modified;
        memory_.write(address, size, value);
    }
    void store_completes(Time at);
    bool is_locked(Address line) const;
    void release_lock(Address line, bool on_bus, const AccessTime& when);
    // Its line has been granted to a store and is not here yet.
    bool arriving(Address address, Time at) const {
        return at < stores_complete_at_ && cache_.line_of(address) == arriving_;
    }
    // While a store waits for its line, what this cache drives out depends on when lines were
    // used: nothing is used ahead.
    bool too_early(const AccessTime& when) const {
        return owns_ && !when.committed && !buffer_.empty();
    }
    bool hits(Address address, Time at) {
        Line* const line = cache_.find(address);
        return line && cache_.uses_at_once(*line, at);
    }
    // Whether what the bus must do for an access made at this time can be asked for.
    bool may_post(const AccessTime& when) const {
        return when.committed || (posts_ahead_ && port_free(when.at));
    }
    // Whether stores may be posted ahead: if they are made one at a time, and on the bus.
    bool stores_ahead() const { return !owns_ && config_.store_policy != StorePolicy::buffered; }
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
    void post(TransactionKind kind, Address address, unsigned size, std::uint32_t value,
              const AccessTime& when);

    // What each access needs stands first: it shall be few lines of the host's cache.
    ProcessorId id_;
    Awaiting awaiting_ = Awaiting::nothing;
    bool owns_;                  // the protocol knows lines that are stored to in the cache
    bool allocates_;             // and brings a line in for a store
    bool keeps_lines_;           // there is a cache at all
    bool has_owners_;            // a line that is stored to is in no other
    bool blocks_port_;           // a store on its way keeps other accesses from the port
    bool buffers_stores_;        // a store to memory is handed over at once if the port is free
    bool changes_stored_;        // what is stored to on the bus changes its state here
    bool store_posted_ = false;  // the store the processor waits for has been handed over
    bool posts_ahead_ = false;   // its processor runs ahead and may post
    bool repeats_ = false;
    bool owning_ = false;  // the oldest store has been granted, its line is on its way
    Address arriving_ = Line::kNoAddress;  // the line that the last store granted brought
    Time stores_complete_at_ = 0;          // of those granted
    Time port_free_from_ = 0;              // kNever: until the stores in the buffer are granted
    Time posted_ahead_at_ = -1;            // by a processor that ran ahead, last
    SnoopHook* snoop_hook_ = nullptr;
    Cache cache_;
    WriteBuffer buffer_;
    Memory& memory_;
    Bus& bus_;
    Observer& observer_;
    Waiter& waiter_;
    Time hit_wait_;
    Time store_completion_, upgrade_completion_;
    Clock clock_;

    Fill fill_;
    bool unmapped_ = false;  // nothing was there to take the device access
    ProtocolTable answers_;
    UndoLog undo_log_;
    ControllerConfig config_;
    BoardDevice* board_device_ = nullptr;
    struct Locked {
        Address line;
        bool on_bus;  // by a locked read

        template <class Archive>
        void serialize(Archive& archive) {
            archive(line, on_bus);
        }
    };
    std::vector<Locked> locked_;  // lines whose address this port has locked
};

// Inline: what is posted is then built in its place in the queue.
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
    bus_.post(id_, request);
}

// To the write buffer and the bus. Inline: where the store comes from is known there.
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
