// SPDX-License-Identifier: MIT
// The oracle of the random test: a definition of coherent memory, independent of the model under
// test.
//
// All stores are in one order, the memory order: that of the bus's grants, and between grants that
// of the stores that owners make in their lines. From the memory order and the stores of each port
// the oracle computes:
//   - the bytes of memory
//   - the view of each port: memory, and over it the port's stores that wait for the bus
//   - the values a read may return: those that its port's view had from the request to the answer,
//     per dword
//   - which copies of a line are up to date
// It checks the machine against them at every grant and every answer. It also checks the address
// locks, and that accesses wait as the store policy says.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sim/cache/controller.h"
#include "sim/events/observer.h"
#include "tests/coherence/instruction.h"
#include "tests/coherence/line_model.h"
#include "tests/coherence/machine.h"
#include "tests/coherence/reached.h"

namespace symsim::test {

class Oracle final : public Observer {
  public:
    Oracle(const RoundConfig& round, Rules rules, const Memory& memory, Reached& reached);
    void add(CacheController& cache);

    // --- requests to a port, and its answers ---------------------------------------------------
    // Called before a step is requested for the first time.
    void asked(ProcessorId port, const Step& step, Time at);
    // Called after each request for the step under way.
    void answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    // A speculative hit: when it is made, and when commit time has reached it.
    void hit_ahead(ProcessorId port, const Step& step, Time at);
    void confirmed(ProcessorId port, const Step& step, std::uint32_t value, Time at);
    void rolled_back(ProcessorId port) { ports_[port].stores_ahead = 0; }
    // The value that this port sees now.
    std::uint32_t view(ProcessorId port, Address address, unsigned size) const;

    // --- events of the bus ---------------------------------------------------------------------
    void edge_begins(Time at) { edge_ = at; }
    void used(const BusUse& use) override;
    // Memory has been written at an edge of the bus.
    void written(Address address, unsigned size);
    void edge_done();
    // All ports have made their last access.
    void finished() const;

    std::string dump(ProcessorId port) const;
    std::string recent_uses() const;

    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void entered(ProcessorId, ProcessorState, Time) override {}

  private:
    struct Store {
        TransactionKind kind;
        Address address;
        unsigned size;
        std::uint32_t value;
        std::uint64_t after_unlocks = 0;  // number of its port's unlocks posted before
        bool in_transit = false;          // granted, and its line has not arrived yet
        bool exchanges = false;           // it is a whole exchange, without a lock
    };
    // A value that a locked instruction has read, until it has stored there.
    struct Held {
        Address address;
        unsigned size;
        std::uint32_t value;
    };
    struct Fill {
        FillOf state = FillOf::none;
        TransactionKind kind = TransactionKind::read;
        Address line = 0;
        std::uint64_t version = 0;
        Time ready = 0;  // when its reply is ready
    };
    struct Port {
        CacheController* cache = nullptr;
        Address installed = Line::kNoAddress;  // by the use that was reported last
        bool asking = false;
        bool posted = false;          // the store under way is in the write buffer
        std::uint32_t exchanged = 0;  // what its exchange replaces
        bool filled = false;          // the step under way has taken its fill
        Step step;
        std::vector<std::uint32_t> may_return;
        std::deque<Store> pending;
        Time complete_at = 0;                 // when its granted stores are complete
        Address arriving = Line::kNoAddress;  // the line that arrives at that time
        Time ready = 0;  // when the reply to the read for its oldest store is ready
        std::vector<Held> held;
        std::deque<Address> unlocking;
        std::uint64_t unlocks_asked = 0;
        std::uint64_t unlocks_granted = 0;
        Fill fill;
        std::uint64_t stores_ahead = 0;     // stores later than commit time
        std::vector<std::uint64_t> copies;  // the version of each line that the cache contains
    };
    struct Lock {
        ProcessorId owner;
        Address line;
        bool on_bus;                 // locked by a locked read over the bus
        bool unlock_posted = false;  // its unlock has been requested
    };
    // A line that is unavailable: after an unlock, and where lines have owners, while it is on its
    // way to a port and for some time after.
    struct Unavailable {
        Address line;
        Time until;
        ProcessorId destination;
        bool to_takers_only;
    };

    Address line_of(Address a) const { return a & ~(line_bytes_ - 1); }
    std::size_t number_of(Address line) const { return line / line_bytes_; }
    bool lines_have_owners() const { return test::lines_have_owners(rules_); }
    unsigned state_of(ProcessorId port, Address line) const;
    BufferState buffer_state(const Port& port) const;
    bool port_free(const Port& port, Time at) const {
        return port.pending.empty() && at >= port.complete_at;
    }
    bool owns(ProcessorId port, Address line) const;
    // Whether the store under way waits, or must wait, for a read of its line (allocation).
    bool allocating(ProcessorId port) const;
    // oracle.cpp
    void count_asked(ProcessorId port) const;
    void unlock_asked(ProcessorId port);
    void store_answered(ProcessorId port, Access answer, Time at);
    void not_locked_by_others(ProcessorId port, Address line) const;
    void exchange_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void store_if_owned(ProcessorId port, const Step& step, Time at);
    void read_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void stores_let_by(ProcessorId port, const Step& step, Time at) const;
    void taken(ProcessorId port);
    void look_for_victims();
    void look_for_victim(ProcessorId port, Address behind);
    std::uint32_t in_memory(Address address, unsigned size) const;
    // oracle_bus.cpp
    void may_be_granted(ProcessorId port, TransactionKind kind, Address address) const;
    void replied(ProcessorId port, const BusUse& use);
    void granted_fill(ProcessorId port, const BusUse& use, Time ready);
    void granted_store(ProcessorId port, const BusUse& use, Time ready);
    void granted_unlock(ProcessorId port, const BusUse& use);
    void in_transit(ProcessorId port, const BusUse& use, bool supplied);
    void at_turn(ProcessorId port);
    bool changes(const Store& store) const;
    void performed(ProcessorId port, const Store& store, bool changes);
    void atomic(ProcessorId port, const Store& store);
    void states_right(Address line) const;
    void copies_good(Address line) const;

    RoundConfig round_;
    Rules rules_;
    const Memory& memory_;
    Reached& reached_;
    Address line_bytes_;
    std::vector<Address> lines_;
    std::vector<Port> ports_;
    LineModel model_;
    std::vector<std::uint8_t> bytes_;      // the bytes of memory by the memory order
    std::vector<std::uint64_t> versions_;  // for each line: number of stores that have changed it
    std::vector<Lock> locks_;
    std::vector<Unavailable> unavailable_;
    Time edge_ = 0;
    bool writes_ = false;           // the transaction just granted will write memory
    std::vector<Store> written_;    // stores made at this edge
    std::vector<Address> touched_;  // lines of transactions and stores at this edge
    std::deque<BusUse> recent_;
};

}  // namespace symsim::test
