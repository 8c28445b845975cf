// SPDX-License-Identifier: MIT
// The oracle for nodes. There is no one place through which all transactions pass. The memory order
// is that in which memory is written: by an event of the nodes, or by a processor in a line that
// its cache owns. The oracle checks
//   - at each store that no other cache has its line, nor has it on the way from its node
//   - at each copy that comes into a cache that at most one cache may store to the line, and then
//   no
//     other has it
//   - that a read returns what its port's view had between request and answer
//   - that locked instructions are atomic, and that nobody else uses a line meanwhile
// The states of caches are those of the machine itself: an independent model of them would have to
// know the order in which nodes serve requests.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sim/interconnect/interconnect.h"
#include "tests/coherence/oracle.h"

namespace symsim::test {

class NodesOracle final : public Oracle {
  public:
    using Oracle::Oracle;
    // The interconnect under test, whose queues say which stores are not made yet.
    void connect(const Interconnect& nodes) { nodes_ = &nodes; }
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
    // The reply to a read that is on the way from its node, or has arrived and is not taken.
    struct Fill {
        Address line = Line::kNoAddress;
        TransactionKind kind = TransactionKind::read;
        Time arrives = 0;
    };
    struct Port : Asked {
        Fill fill;
        Time store_arrives = -1;  // the reply to its oldest store
    };

    void store_answered(ProcessorId port, Access answer);
    void read_answered(ProcessorId port, Access answer, std::uint32_t value, Time at);
    void may_pass_stores(ProcessorId port, const Step& step) const;
    void store_in_line(ProcessorId port, const Step& step);
    ProcessorId writer(Address address, unsigned size) const;
    std::size_t stores_requested(ProcessorId port) const;
    void performed(ProcessorId port, const Store& store);
    const Line* line_in(ProcessorId port, Address line) const {
        return asked_[port]->cache->cache().find(line);
    }
    void alone(ProcessorId port, Address line) const;
    void coherent(Address line) const;

    const Interconnect* nodes_ = nullptr;
    std::deque<Port> ports_;
    std::vector<Address> touched_;  // lines of replies and stores at this edge
};

}  // namespace symsim::test
