// SPDX-License-Identifier: MIT
// What coherent memory is, kept apart from the machine under test.
//
// The order of the bus's grants is the order of memory. From it, and from what each port has been
// asked to store, follows what memory holds, what each port sees (memory under its own stores that
// wait for the bus), which values a read may return (what its port has seen from the first asking
// to the answer, a dword at a time), and which copies of a line are good. All of that is checked
// at every grant and every answer, and so are the address locks and the store policies' promises.
#pragma once

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/observe/events.h"
#include "tests/coherence/instruction.h"
#include "tests/coherence/machine.h"
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/reached.h"

namespace symsim::test {

class Incoherent : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Oracle final : public Observer {
  public:
    Oracle(const RoundConfig& round, const ProtocolCase& protocol, const Memory& memory,
           Reached& reached);
    void add(CacheController& cache);

    // --- what a port is asked, and answers -----------------------------------------------------
    // Before the first asking of a step.
    void asked(ProcessorId port, const Step& step, Time at);
    // Behind each asking of the step under way.
    void answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    // A hit of a port that runs ahead.
    void hit_ahead(ProcessorId port, const Step& step, Time at) const;
    // What this port sees now.
    std::uint32_t view(ProcessorId port, Address address, unsigned size) const;

    // --- what the bus does ---------------------------------------------------------------------
    void used(const BusUse& use) override;
    void edge_done();
    // All ports have come to their end.
    void finished() const;

    std::string dump(ProcessorId port) const;
    std::string recent_uses() const;

    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void waiting(ProcessorId, Time) override {}
    void served(ProcessorId, Time) override {}
    void resumed(ProcessorId, Time) override {}
    void halted(ProcessorId, Time) override {}

  private:
    struct Store {
        Kind kind;
        Address address;
        unsigned size;
        std::uint32_t value;
        std::uint64_t behind_unlocks = 0;  // so many of its port's come before it
    };
    // What a locked instruction has read, until it has stored there.
    struct Held {
        Address address;
        unsigned size;
        std::uint32_t value;
    };
    struct Fill {
        FillOf state = FillOf::none;
        Kind kind = Kind::read;
        Address line = 0;
        std::uint64_t version = 0;
    };
    struct Port {
        CacheController* cache = nullptr;
        bool asking = false;
        bool posted = false;  // the store under way has been handed over
        Step step;
        std::vector<std::uint32_t> may_return;
        std::deque<Store> pending;
        Time complete_at = 0;  // of its stores granted
        std::vector<Held> held;
        std::deque<Address> unlocking;
        std::uint64_t unlocks_asked = 0;
        std::uint64_t unlocks_granted = 0;
        Fill fill;
        std::vector<std::uint64_t> copies;  // the version of each line, meaningful if it is valid
        std::vector<bool> in_cache;         // as last seen
    };
    struct Lock {
        ProcessorId owner;
        Address line;
    };
    struct Unavailable {
        Address line;
        Time until;
    };

    Address line_of(Address a) const { return a & ~(line_bytes_ - 1); }
    std::size_t number_of(Address line) const { return line / line_bytes_; }
    unsigned state_of(const Port& port, Address line) const;
    BufferState buffer_state(const Port& port) const;
    bool port_free(const Port& port, Time at) const {
        return port.pending.empty() && at >= port.complete_at;
    }
    void stores_let_by(ProcessorId port, const Step& step, Time at) const;
    bool owns(ProcessorId port, Address line) const;
    void grant_checked(ProcessorId port, const BusUse& use);
    void granted_fill(ProcessorId port, const BusUse& use);
    void granted_store(ProcessorId port, const BusUse& use);
    void granted_unlock(ProcessorId port, const BusUse& use);
    void atomic(ProcessorId port, const Store& store);
    void unlock_asked(ProcessorId port);
    void store_answered(ProcessorId port, Access answer, Time at);
    void read_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void taken(ProcessorId port);
    void count_asked(const Port& port) const;
    void copies_good(Address line) const;
    std::uint32_t in_memory(Address address, unsigned size) const;

    RoundConfig round_;
    const ProtocolCase& protocol_;
    std::unique_ptr<Protocol> rules_;
    const Memory& memory_;
    Reached& reached_;
    Address line_bytes_;
    std::vector<Address> lines_;
    std::vector<Port> ports_;
    std::vector<std::uint8_t> bytes_;      // of memory, by the order of grants
    std::vector<std::uint64_t> versions_;  // of each line: stores granted
    std::vector<Lock> locks_;
    std::vector<Unavailable> unavailable_;
    std::vector<Store> written_;  // at this edge
    std::deque<BusUse> recent_;
};

}  // namespace symsim::test
