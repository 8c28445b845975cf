// SPDX-License-Identifier: MIT
// The oracle for the bus and the crossbar. The memory order is that of the grants, and between
// grants that of the stores that owners make in their lines. So the oracle also computes which
// copies of a line are up to date. It checks the machine at every grant and every answer. It also
// checks that accesses wait as the store policy says.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tests/coherence/line_model.h"
#include "tests/coherence/oracle.h"
#include "tests/coherence/reached.h"

namespace symsim::test {

class BusOracle final : public Oracle {
  public:
    BusOracle(const RoundConfig& round, Rules rules, const Memory& memory, Reached& reached);
    void add(CacheController& cache) override;

    void asked(ProcessorId port, const Step& step, Time at) override;
    void answered(ProcessorId port, Access answer, std::uint32_t value, Time at) override;
    void hit_ahead(ProcessorId port, const Step& step, Time at) override;
    void confirmed(ProcessorId port, const Step& step, std::uint32_t value, Time at) override;

    void used(const BusUse& use) override;
    void written(Address address, unsigned size) override;
    void edge_done() override;
    void finished() const override;
    std::string dump(ProcessorId port) const override;

  private:
    struct Fill {
        FillOf state = FillOf::none;
        TransactionKind kind = TransactionKind::read;
        Address line = 0;
        std::uint64_t version = 0;
        Time ready = 0;  // when its reply is ready
    };
    struct Port : Asked {
        Address installed = Line::kNoAddress;  // by the use that was reported last
        std::uint32_t exchanged = 0;           // what its exchange replaces
        bool filled = false;                   // the step under way has taken its fill
        Time complete_at = 0;                  // when its granted stores are complete
        Address arriving = Line::kNoAddress;   // the line that arrives at that time
        Time ready = 0;  // when the reply to the read for its oldest store is ready
        std::deque<Address> unlocking;
        std::uint64_t unlocks_asked = 0;
        std::uint64_t unlocks_granted = 0;
        Fill fill;
        std::vector<std::uint64_t> copies;  // the version of each line that the cache contains
    };
    // A line that is unavailable: after an unlock, and where lines have owners, while it is on its
    // way to a port and for some time after.
    struct Unavailable {
        Address line;
        Time until;
        ProcessorId destination;
        bool to_takers_only;
    };

    std::size_t number_of(Address line) const { return line / line_bytes_; }
    bool lines_have_owners() const { return test::lines_have_owners(rules_); }
    unsigned state_of(ProcessorId port, Address line) const;
    BufferState buffer_state(const Port& port) const;
    bool port_free(const Port& port, Time at) const {
        return port.pending.empty() && at >= port.complete_at;
    }
    // Whether the store under way waits, or must wait, for a read of its line (allocation).
    bool allocating(ProcessorId port) const;
    // bus_oracle.cpp
    void count_asked(ProcessorId port) const;
    void unlock_asked(ProcessorId port);
    void store_answered(ProcessorId port, Access answer, Time at);
    void exchange_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void store_if_owned(ProcessorId port, const Step& step, Time at);
    void read_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void stores_let_by(ProcessorId port, const Step& step, Time at) const;
    void taken(ProcessorId port);
    void look_for_victims();
    void look_for_victim(ProcessorId port, Address behind);
    // bus_oracle_grants.cpp
    void may_be_granted(ProcessorId port, TransactionKind kind, Address address) const;
    void replied(ProcessorId port, const BusUse& use);
    void granted_fill(ProcessorId port, const BusUse& use, Time ready);
    void granted_store(ProcessorId port, const BusUse& use, Time ready);
    void granted_unlock(ProcessorId port, const BusUse& use);
    void in_transit(ProcessorId port, const BusUse& use, bool supplied);
    void at_turn(ProcessorId port);
    void performed(ProcessorId port, const Store& store, bool changes);
    void states_right(Address line) const;
    void copies_good(Address line) const;

    Rules rules_;
    Reached& reached_;
    std::deque<Port> ports_;
    LineModel model_;
    std::vector<std::uint64_t> versions_;  // for each line: number of stores that have changed it
    std::vector<Unavailable> unavailable_;
    bool writes_ = false;           // the transaction just granted will write memory
    std::vector<Address> touched_;  // lines of transactions and stores at this edge
};

}  // namespace symsim::test
