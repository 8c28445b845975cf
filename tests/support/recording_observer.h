// SPDX-License-Identifier: MIT
// An observer that keeps the marks, states and bus uses reported to it, for tests to inspect.
#pragma once

#include <tuple>
#include <vector>

#include "sim/base/observer.h"

namespace symsim::test {

class RecordingObserver final : public Observer {
  public:
    void passed(ProcessorId p, const std::vector<Mark>& m) override {
        for (const Mark& mark : m) marks.emplace_back(p, mark);
    }
    void entered(ProcessorId p, ProcessorState state, Time at) override {
        states.emplace_back(p, at, state);
    }
    void used(const BusUse& use) override { uses.push_back(use); }
    void held(const BusUse& hold) override { holds.push_back(hold); }
    void missed(const Miss& miss) override { misses.push_back(miss); }
    void carried(const BusUse& link) override { links.push_back(link); }

    std::vector<std::pair<ProcessorId, Mark>> marks;
    std::vector<std::tuple<ProcessorId, Time, ProcessorState>> states;
    std::vector<BusUse> uses;
    std::vector<BusUse> holds;
    std::vector<Miss> misses;
    std::vector<BusUse> links;
};

}  // namespace symsim::test
