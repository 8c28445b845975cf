// SPDX-License-Identifier: MIT
// Benchmarks the bus alone, with ports that do nothing: transactions from posting to end, including
// arbitration and snoops.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/bus/bus.h"
#include "tests/support/empty_machine.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class NoObserver final : public Observer {
  public:
    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void entered(ProcessorId, ProcessorState, Time) override {}
    void used(const BusUse& use) override { last = use.start; }
    Time last = 0;
};

// The port of a write-through cache that keeps every line it has read.
class Port final : public symsim::Port {
  public:
    std::optional<TransactionKind> needs(const Request& request, Time) override {
        return request.kind;
    }
    void granted(const Request&, Time) override {}
    void answered(const Request&, bool, bool, Time) override {}
    void granted_and_answered(const Request&, bool, bool, Time) override {}
    Time replied(const Request&, std::uint32_t, Time arrives) override { return arrives; }
    bool watches(TransactionKind kind) const override { return is_store(kind); }
    Snooped snoop(TransactionKind, Address, bool, Time) override {
        Snooped answer;
        answer.shares = true;
        return answer;
    }
    void roll_back_line(Address, Time) override {}
};

class BusAlone {
  public:
    explicit BusAlone(std::int64_t ports) : ports_(static_cast<std::size_t>(ports)) {
        InterconnectConfig config = test_bus_config();
        config.filter_snoops = true;
        bus_ = std::make_unique<Bus>(config, memory_, code_, devices_, observer_);
        for (Port& port : ports_) bus_->attach(port);
    }
    // Each port posts one transaction, for a line of its own or all for the same line. Runs the bus
    // until it is idle.
    void round(TransactionKind kind, bool one_line) {
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
        while (bus_->next_event() != kNever) bus_->advance(bus_->next_event());
    }

  private:
    Memory memory_{1u << 20};
    NoCode code_;
    NoDevices devices_;
    NoObserver observer_;
    std::vector<Port> ports_;
    std::unique_ptr<Bus> bus_;
};

void rounds(benchmark::State& state, BusAlone& bus, TransactionKind kind, bool one_line) {
    for (auto _ : state) bus.round(kind, one_line);
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Stores to lines that no other port has: with the snoop filter no port is asked.
void bus_store(benchmark::State& state) {
    BusAlone bus(state.range(0));
    rounds(state, bus, TransactionKind::store, false);
}
BENCHMARK(bus_store)->ArgName("processors")->Arg(1)->Arg(20)->Arg(64);

void bus_read(benchmark::State& state) {
    BusAlone bus(state.range(0));
    rounds(state, bus, TransactionKind::read, false);
}
BENCHMARK(bus_read)->ArgName("processors")->Arg(1)->Arg(20)->Arg(64);

// Stores to a line that all ports have: all other ports snoop.
void bus_snooped_store(benchmark::State& state) {
    BusAlone bus(state.range(0));
    bus.round(TransactionKind::read, true);
    rounds(state, bus, TransactionKind::store, true);
}
BENCHMARK(bus_snooped_store)->ArgName("processors")->Arg(2)->Arg(20)->Arg(64);

}  // namespace
}  // namespace symsim::test
