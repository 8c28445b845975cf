// SPDX-License-Identifier: MIT
// The bus alone, with ports that do nothing: transactions from the posting to the end, with
// arbitration and snoops.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "sim/bus/bus.h"

namespace symsim::test {
namespace {

class NoDevices final : public DeviceSpace {
  public:
    DeviceReply read(Address, unsigned, Time) override { return {}; }
    DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {}; }
};

class NoCode final : public WriteWatch {
  public:
    bool covers(Address, unsigned) const override { return false; }
    void written(Address, unsigned) override {}
};

class NoObserver final : public Observer {
  public:
    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void waiting(ProcessorId, Time) override {}
    void served(ProcessorId, Time) override {}
    void resumed(ProcessorId, Time) override {}
    void halted(ProcessorId, Time) override {}
    void used(const BusUse& use) override { last = use.start; }
    Time last = 0;
};

// Of a cache that writes through and keeps every line it has read.
class Port final : public BusPort {
  public:
    std::optional<Kind> needs(const Request& request, Time) override { return request.kind; }
    void granted(const Request&, bool, bool, Time) override {}
    Time replied(const Request&, std::uint32_t, Time arrives) override { return arrives; }
    bool watches(Kind kind) const override { return is_store(kind); }
    Snooped snoop(Kind, Address, bool, Time) override {
        Snooped answer;
        answer.shares = true;
        return answer;
    }
    void code_written(Address, Time) override {}
};

class BusAlone {
  public:
    BusAlone(unsigned ports, bool filter_snoops) : ports_(ports) {
        BusConfig config;
        config.filter_snoops = filter_snoops;
        bus_ = std::make_unique<Bus>(config, memory_, code_, devices_, observer_);
        for (Port& port : ports_) bus_->attach(port);
    }
    // One of each port, each for its own line or all for the first; until the bus is idle.
    void round(Kind kind, bool one_line) {
        const Time now = observer_.last;
        for (ProcessorId port = 0; port < ports_.size(); ++port) {
            Request request;
            request.kind = kind;
            request.size = is_store(kind) ? 4 : 16;
            request.address = one_line ? 0 : 64 * port;
            request.value = port;
            request.posted = now;
            bus_->post(port, request);
        }
        while (bus_->next_edge() != kNever) bus_->edge(bus_->next_edge());
    }

  private:
    Memory memory_{1u << 20};
    NoCode code_;
    NoDevices devices_;
    NoObserver observer_;
    std::vector<Port> ports_;
    std::unique_ptr<Bus> bus_;
};

void count(benchmark::State& state, unsigned ports) {
    state.SetItemsProcessed(state.iterations() * ports);
}

// Stores to lines that nobody else has: with a filter nobody is asked.
void bus_store(benchmark::State& state) {
    const auto ports = static_cast<unsigned>(state.range(0));
    BusAlone bus(ports, true);
    for (auto _ : state) bus.round(Kind::store, false);
    count(state, ports);
}
BENCHMARK(bus_store)->ArgName("processors")->Arg(1)->Arg(20)->Arg(64);

void bus_read(benchmark::State& state) {
    const auto ports = static_cast<unsigned>(state.range(0));
    BusAlone bus(ports, true);
    for (auto _ : state) bus.round(Kind::read, false);
    count(state, ports);
}
BENCHMARK(bus_read)->ArgName("processors")->Arg(1)->Arg(20)->Arg(64);

// Stores to a line that all have: all others snoop.
void bus_snooped_store(benchmark::State& state) {
    const auto ports = static_cast<unsigned>(state.range(0));
    BusAlone bus(ports, true);
    bus.round(Kind::read, true);
    for (auto _ : state) bus.round(Kind::store, true);
    count(state, ports);
}
BENCHMARK(bus_snooped_store)->ArgName("processors")->Arg(2)->Arg(20)->Arg(64);

}  // namespace
}  // namespace symsim::test
