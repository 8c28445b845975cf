// SPDX-License-Identifier: MIT
// The fixture for tests of the bus alone. Its ports only record the calls that the bus makes.
// Recorded times are in bus cycles, except for code_at.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/transaction_kind.h"
#include "sim/bus/bus.h"
#include "tests/support/empty_machine.h"
#include "tests/support/part_configs.h"
#include "tests/support/recording_observer.h"

namespace symsim::test {

constexpr Time kCycle = 100'000;

struct Port final : symsim::Port {
    std::optional<TransactionKind> needs(const Request& r, Time at) override {
        if (needs_the_bus) return needs_as.value_or(r.kind);
        made_without.push_back({r.kind, at / kCycle});
        return std::nullopt;
    }
    void granted(const Request& r, Time at) override { grants.push_back({r.kind, at / kCycle}); }
    void answered(const Request&, bool ok, bool has_company, Time) override {
        mapped = ok;
        shared = has_company;
    }
    void granted_and_answered(const Request& r, bool ok, bool has_company, Time at) override {
        granted(r, at);
        answered(r, ok, has_company, at);
    }
    Time replied(const Request&, std::uint32_t, Time arrives) override {
        arrivals.push_back(arrives / kCycle);
        return arrives + uses_later;
    }
    bool watches(TransactionKind kind) const override { return watches_reads || is_store(kind); }
    bool reads_become_silent() const override { return becomes_silent; }
    Snooped snoop(TransactionKind kind, Address, bool changes, Time at) override {
        snoops.push_back({kind, at / kCycle});
        changed = changes;
        return answer;
    }
    void roll_back_line(Address, Time at) override { code_at.push_back(at); }
    std::uint32_t lines_of(Address first, std::uint32_t bytes) const override {
        return lines_of_range(first, bytes);
    }

    std::vector<std::pair<TransactionKind, Time>> grants;
    std::vector<Time> arrivals;
    std::vector<std::pair<TransactionKind, Time>> snoops;
    std::vector<std::pair<TransactionKind, Time>> made_without;
    bool mapped = true;
    bool shared = false;
    bool changed = false;
    std::vector<Time> code_at;  // calls of roll_back_line(), in picoseconds
    bool needs_the_bus = true;
    std::optional<TransactionKind> needs_as;  // the result of needs(), if set
    Time uses_later = 0;                      // how long after its arrival the line is used
    bool watches_reads = false;
    bool becomes_silent = false;
    Snooped answer;
    std::function<std::uint32_t(Address, std::uint32_t)> lines_of_range;
};

// `Kind`: the interconnect that is tested, and `Config` what it is built from.
template <class Kind, class Config>
class InterconnectTest : public ::testing::Test {
  protected:
    void build(unsigned ports, const Config& config) {
        observer = {};
        this->ports.clear();
        bus = std::make_unique<Kind>(config, memory, code, devices, observer);
        for (unsigned i = 0; i < ports; ++i) {
            this->ports.push_back(std::make_unique<Port>());
            this->ports.back()->watches_reads = watch_reads;
            this->ports.back()->becomes_silent = set_silent && i != unlike;
            bus->attach(*this->ports.back());
        }
    }
    void post(ProcessorId port, TransactionKind kind, Address address, Time cycle,
              std::uint32_t value = 0) {
        Request request;
        request.kind = kind;
        request.address = address;
        request.size = is_store(kind) ? 4 : 16;
        request.value = value;
        request.posted = cycle * kCycle;
        bus->post(port, request);
    }
    void run(Time to_cycle = 1000) {
        while (bus->next_event() < to_cycle * kCycle) bus->advance(bus->next_event());
    }

    bool watch_reads = false;
    bool set_silent = false;
    unsigned unlike = ~0u;  // the port whose reads_become_silent() is false
    Memory memory{1 << 20};
    NoCode code;
    NoDevices devices;
    RecordingObserver observer;
    std::vector<std::unique_ptr<Port>> ports;
    std::unique_ptr<Kind> bus;
};

class BusTest : public InterconnectTest<Bus, InterconnectConfig> {
  protected:
    void build(unsigned ports, const InterconnectConfig& config = test_bus_config()) {
        InterconnectTest::build(ports, config);
    }
};

using Grants = std::vector<std::pair<TransactionKind, Time>>;

}  // namespace symsim::test
