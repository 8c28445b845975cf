// SPDX-License-Identifier: MIT
// The oracle of the random test: a definition of coherent memory, independent of the model under
// test.
//
// All stores are in one order, the memory order. From it and the stores of each port the oracle
// computes:
//   - the bytes of memory
//   - the view of each port: memory, and over it the port's stores that wait for the interconnect
//   - the values a read may return: those that its port's view had from the request to the answer,
//     per dword
// What is the same for each interconnect is here. Where the memory order comes from, and what else
// must hold, is in bus_oracle.h and nodes_oracle.h.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/cache/controller.h"
#include "tests/coherence/instruction.h"
#include "tests/coherence/line_model.h"
#include "tests/coherence/machine.h"

namespace symsim::test {

class Oracle : public Observer {
  public:
    Oracle(const RoundConfig& round, const Memory& memory);
    virtual void add(CacheController& cache) = 0;

    // --- requests to a port, and its answers ---------------------------------------------------
    // Called before a step is requested for the first time.
    virtual void asked(ProcessorId port, const Step& step, Time at) = 0;
    // Called after each request for the step under way.
    virtual void answered(ProcessorId port, Access answer, std::uint32_t value, Time at) = 0;
    // A speculative hit: when it is made, and when commit time has reached it.
    virtual void hit_ahead(ProcessorId port, const Step& step, Time at) = 0;
    virtual void confirmed(ProcessorId port, const Step& step, std::uint32_t value, Time at) = 0;
    void rolled_back(ProcessorId port) { asked_[port]->stores_ahead = 0; }
    // The value that this port sees now.
    std::uint32_t view(ProcessorId port, Address address, unsigned size) const;

    // --- events of the interconnect ------------------------------------------------------------
    virtual void edge_begins(Time at) { edge_ = at; }
    void used(const BusUse& use) override;
    // Memory has been written at an event of the interconnect.
    virtual void written(Address address, unsigned size) = 0;
    virtual void edge_done() = 0;
    // All ports have made their last access.
    virtual void finished() const = 0;

    virtual std::string dump(ProcessorId port) const = 0;
    std::string recent_uses() const;

    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void entered(ProcessorId, ProcessorState, Time) override {}

  protected:
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
    // What a port has asked for.
    struct Asked {
        CacheController* cache = nullptr;
        bool asking = false;
        bool posted = false;  // the store under way is in the write buffer
        Step step;
        std::vector<std::uint32_t> may_return;
        std::deque<Store> pending;
        std::vector<Held> held;
        std::uint64_t stores_ahead = 0;  // stores later than commit time
    };
    struct Lock {
        ProcessorId owner;
        Address line;
        bool on_bus;                 // locked by a locked read over the interconnect
        bool unlock_posted = false;  // its unlock has been requested
    };

    void add(CacheController& cache, Asked& port);
    Address line_of(Address a) const { return a & ~(line_bytes_ - 1); }
    std::uint32_t in_memory(Address address, unsigned size) const;
    bool changes(const Store& store) const;
    // A store takes its place in the memory order.
    void order(const Store& store);
    // The stores at this edge are in memory.
    void written_rightly();
    void memory_right_at_end() const;

    bool owns(ProcessorId port, Address line) const;
    void not_locked_by_others(ProcessorId port, Address line) const;
    void atomic(ProcessorId port, const Store& store);
    // No operand that is locked by this step is without its store, and no store is under way.
    void may_unlock(ProcessorId port) const;
    void may_be_read(ProcessorId port, std::uint32_t value) const;
    static bool forwarded(const Asked& port, const Step& step);
    std::string dump_asked(ProcessorId port) const;

    RoundConfig round_;
    const Memory& memory_;
    Address line_bytes_;
    std::vector<Address> lines_;
    std::vector<std::uint8_t> bytes_;  // the bytes of memory by the memory order
    std::vector<Asked*> asked_;        // of each port
    std::vector<Lock> locks_;
    std::vector<Store> written_;  // stores made at this edge
    Time edge_ = 0;

  private:
    std::deque<BusUse> recent_;
};

}  // namespace symsim::test
