// SPDX-License-Identifier: MIT
// No oracle: for rounds that are wrong on purpose, and are only to come to an end.
#pragma once

#include <deque>
#include <string>

#include "tests/coherence/oracle.h"

namespace symsim::test {

class NoOracle final : public Oracle {
  public:
    using Oracle::Oracle;
    void add(CacheController& cache) override { Oracle::add(cache, ports_.emplace_back()); }
    void asked(ProcessorId, const Step&, Time) override {}
    void answered(ProcessorId, Access, std::uint32_t, Time) override {}
    void hit_ahead(ProcessorId, const Step&, Time) override {}
    void confirmed(ProcessorId, const Step&, std::uint32_t, Time) override {}
    void written(Address, unsigned) override {}
    void edge_done() override {}
    void finished() const override {}
    std::string dump(ProcessorId) const override { return {}; }

  private:
    std::deque<Asked> ports_;
};

}  // namespace symsim::test
