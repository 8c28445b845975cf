// SPDX-License-Identifier: MIT
// What coherent memory is, kept apart from the machine under test.
//
// The order of the bus's grants, and of the stores that owners make in their lines between them, is
// the order of memory. From it, and from what each port has been asked to store, follows what
// memory holds, what each port sees (memory under its own stores that wait for the bus), which
// values a read may return (what its port has seen from the first asking to the answer, a dword at
// a time), and which copies of a line are good. All of that is checked at every grant and every
// answer, and so are the address locks and the store policies' promises.
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
    Oracle(const RoundConfig& round, ProtocolKind protocol, const Memory& memory, Reached& reached);
    void add(CacheController& cache);

    // --- what a port is asked, and answers -----------------------------------------------------
    // Before the first asking of a step.
    void asked(ProcessorId port, const Step& step, Time at);
    // Behind each asking of the step under way.
    void answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    // A hit of a port that runs ahead, when it is made; and when its time has come.
    void hit_ahead(ProcessorId port, const Step& step, Time at);
    void confirmed(ProcessorId port, const Step& step, std::uint32_t value, Time at);
    void rolled_back(ProcessorId port) { ports_[port].stores_ahead = 0; }
    // What this port sees now.
    std::uint32_t view(ProcessorId port, Address address, unsigned size) const;

    // --- what the bus does ---------------------------------------------------------------------
    void edge_begins(Time at) { edge_ = at; }
    void used(const BusUse& use) override;
    // Memory has been written at an edge of the bus.
    void written(Address address, unsigned size);
    void edge_done();
    // All ports have come to their end.
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
        std::uint64_t after_unlocks = 0;  // so many of its port's come before it
        bool mark_in_transit = false;     // granted, and its line has not come yet
    };
    // What a locked instruction has read, until it has stored there.
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
        Time ready = 0;  // for its reply
    };
    struct Port {
        CacheController* cache = nullptr;
        bool asking = false;
        bool posted = false;  // the store under way has been handed over
        bool filled = false;  // the step under way has taken its fill
        Step step;
        std::vector<std::uint32_t> may_return;
        std::deque<Store> pending;
        Time complete_at = 0;                 // of its stores granted
        Address arriving = Line::kNoAddress;  // the line that is here at that time
        Time ready = 0;                       // of the read for its oldest store: for the reply
        std::vector<Held> held;
        std::deque<Address> unlocking;
        std::uint64_t unlocks_asked = 0;
        std::uint64_t unlocks_granted = 0;
        Fill fill;
        std::uint64_t stores_ahead = 0;     // whose time has not come
        std::vector<std::uint64_t> copies;  // the version of each line, meaningful if it is valid
    };
    struct Lock {
        ProcessorId owner;
        Address line;
        bool on_bus;                // by a locked read
        bool release_lock = false;  // its unlock has been asked for
    };
    // Behind an unlock; and where lines have owners, on its way to a port and so long behind.
    struct Unavailable {
        Address line;
        Time until;
        ProcessorId but_for;
        bool to_takers_only;
    };

    Address line_of(Address a) const { return a & ~(line_bytes_ - 1); }
    std::size_t number_of(Address line) const { return line / line_bytes_; }
    bool write_back() const { return protocol_ == ProtocolKind::write_back; }
    unsigned state_of(ProcessorId port, Address line) const;
    BufferState buffer_state(const Port& port) const;
    bool port_free(const Port& port, Time at) const {
        return port.pending.empty() && at >= port.complete_at;
    }
    bool owns(ProcessorId port, Address line) const;
    // Whether the store under way waits for its line, or is to.
    bool allocating(ProcessorId port) const;
    // oracle.cpp
    void count_asked(ProcessorId port) const;
    void unlock_asked(ProcessorId port);
    void store_answered(ProcessorId port, Access answer, Time at);
    void store_if_owned(ProcessorId port, const Step& step, Time at);
    void read_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void stores_let_by(ProcessorId port, const Step& step, Time at) const;
    void taken(ProcessorId port);
    void look_for_victim(ProcessorId port, Address behind);
    std::uint32_t in_memory(Address address, unsigned size) const;
    // oracle_bus.cpp
    void may_be_granted(ProcessorId port, TransactionKind kind, Address address) const;
    void replied(ProcessorId port, const BusUse& use);
    void granted_fill(ProcessorId port, const BusUse& use, Time ready);
    void granted_store(ProcessorId port, const BusUse& use, Time ready);
    void granted_unlock(ProcessorId port, const BusUse& use);
    void mark_in_transit(ProcessorId port, const BusUse& use, bool supplied);
    void at_turn(ProcessorId port);
    bool changes(const Store& store) const;
    void performed(ProcessorId port, const Store& store, bool changes);
    void atomic(ProcessorId port, const Store& store);
    void states_right(Address line) const;
    void copies_good(Address line) const;

    RoundConfig round_;
    ProtocolKind protocol_;
    const Memory& memory_;
    Reached& reached_;
    Address line_bytes_;
    std::vector<Address> lines_;
    std::vector<Port> ports_;
    LineModel model_;
    std::vector<std::uint8_t> bytes_;      // of memory, in its order
    std::vector<std::uint64_t> versions_;  // of each line: stores that have changed it
    std::vector<Lock> locks_;
    std::vector<Unavailable> unavailable_;
    Time edge_ = 0;
    bool writes_ = false;           // the transaction just granted will write memory
    std::vector<Store> written_;    // at this edge
    std::vector<Address> touched_;  // lines, at this edge
    std::deque<BusUse> recent_;
};

}  // namespace symsim::test
