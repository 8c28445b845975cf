// SPDX-License-Identifier: MIT
// Test fixture: cache controllers on the real bus and memory. The processors are a script of
// accesses (Step), each with the clock of its request. The result (Made) has the clock at which the
// access is made.
//
// Expected times follow from the defaults of InterconnectConfig and ControllerConfig. A request
// posted at clock 0 of 16 MHz is seen at the next bus edge, 100 ns. After one cycle of arbitration
// it is granted, at 200 ns. A read then takes 1 request cycle, 4 of memory, 2 of reply and 1 to
// synchronise: it ends at 1000 ns, clock 16. A store is complete 7 cycles after its grant, at
// 900 ns, which the processor sees at clock 15.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/protocol/protocols.h"
#include "tests/support/empty_machine.h"
#include "tests/support/part_configs.h"
#include "tests/support/recording_observer.h"
#include "tests/support/wakes.h"

namespace symsim::test {

constexpr Address kLine = 0x1000;  // lines of 16 bytes, all in different sets
constexpr Address kOther = 0x1010;
constexpr Address kDevice = 0xD100'0000;
constexpr Address kNoDevice = 0xE000'0000;
constexpr Time kNanosecond = 1000;

class OneDevice final : public DeviceSpace {
  public:
    DeviceReply read(Address address, unsigned, Time) override {
        return {address == kDevice, value + 1, delay};
    }
    DeviceReply write(Address address, unsigned, std::uint32_t v, Time) override {
        value = v;
        return {address == kDevice, 0, 0};
    }
    std::uint32_t value = 0;
    Time delay = 0;
};

enum class Do {
    load,
    store,
    fetch,
    fetch_in_sequence,
    locked_load,
    locked_store,
    exchange,
    unlock
};

// An access that a processor makes at `clock`, or later if its earlier steps take longer.
struct Step {
    ProcessorId processor;
    Do what;
    Address address;
    Time clock;
    std::uint32_t value = 0;
    unsigned size = 4;
};

struct Made {
    Time clock = -1;
    Access how = Access::waiting;
    std::uint32_t value = 0;
};

class ControllerTest : public ::testing::Test {
  protected:
    void build(unsigned processors, StorePolicy policy,
               ControllerConfig config = test_controller_config()) {
        period = config.processor_period;
        observer = {};
        config.processors = processors;
        config.store_policy = policy;
        bus_config.lines_have_owners = protocol->lines_have_owners();
        bus = std::make_unique<Bus>(bus_config, memory, code, devices, observer);
        caches.clear();
        waiters.clear();
        wakes.assign(processors, kNever);
        for (ProcessorId id = 0; id < processors; ++id) {
            caches.push_back(std::make_unique<CacheController>(id, config, *protocol, *bus));
            waiters.push_back(std::make_unique<Wakes>(id, observer, wakes[id]));
            caches[id]->connect(*waiters[id]);
        }
    }
    void build(StorePolicy policy, const ControllerConfig& config = test_controller_config()) {
        build(1, policy, config);
    }

    // Executes the script in order of time; at one time the bus acts first.
    std::vector<Made> run(const std::vector<Step>& script) {
        std::vector<Made> made(script.size());
        std::vector<std::size_t> next(caches.size());
        for (ProcessorId id = 0; id < caches.size(); ++id) {
            next[id] = following(script, id, 0);
            if (next[id] < script.size()) wakes[id] = script[next[id]].clock * period;
        }
        for (;;) {
            const auto first = std::min_element(wakes.begin(), wakes.end());
            if (bus->next_event() <= *first) {
                if (bus->next_event() == kNever) return made;
                bus->advance(bus->next_event());
                continue;
            }
            const auto id = static_cast<ProcessorId>(first - wakes.begin());
            const Time now = std::exchange(*first, kNever);
            const std::size_t step = next[id];
            std::uint32_t value = 0;
            const Access how = ask(script[step], {now, true, Activity::user}, value);
            if (how == Access::waiting) continue;
            made[step] = {now / period, how, value};
            next[id] = following(script, id, step + 1);
            if (next[id] < script.size()) *first = std::max(now, script[next[id]].clock * period);
        }
    }

    std::vector<Time> clocks(const std::vector<Step>& script) {
        std::vector<Time> all;
        for (const Made& m : run(script)) all.push_back(m.clock);
        return all;
    }

    Access ask(const Step& s, const AccessTime& when, std::uint32_t& value) {
        CacheController& cache = *caches[s.processor];
        switch (s.what) {
            case Do::load:
                return cache.load(s.address, s.size, when, value);
            case Do::store:
                return cache.store(s.address, s.size, when, s.value);
            case Do::fetch:
                return cache.fetch(s.address, when, true);
            case Do::fetch_in_sequence:
                return cache.fetch(s.address, when, false);
            case Do::locked_load:
                return cache.locked_load(s.address, s.size, when, value);
            case Do::locked_store:
                return cache.locked_store(s.address, s.size, when, s.value);
            case Do::exchange:
                return cache.exchange(s.address, s.size, when, s.value, value).value();
            case Do::unlock:
                cache.unlock(when);
                return Access::made;
        }
        return Access::retry;
    }

    // Puts the line into the cache without a transaction, before a script.
    void warm(ProcessorId processor, Address line, LineState state = LineState::shared) {
        caches[processor]->cache().install(line, state, 0);
    }
    LineState state_of(ProcessorId processor, Address address) {
        const Line* const line = caches[processor]->cache().find(address);
        return line ? line->state : LineState::invalid;
    }
    bool holds(ProcessorId processor, Address address) {
        return caches[processor]->cache().find(address) != nullptr;
    }
    std::vector<TransactionKind> transactions() const {
        std::vector<TransactionKind> kinds;
        for (const BusUse& use : observer.uses)
            if (!use.reply) kinds.push_back(use.kind);
        return kinds;
    }

    const Protocol* protocol = &protocols::write_through;
    InterconnectConfig bus_config = test_bus_config();
    Memory memory{1 << 20};
    NoCode code;
    OneDevice devices;
    test::RecordingObserver observer;
    std::unique_ptr<Bus> bus;
    std::vector<std::unique_ptr<CacheController>> caches;
    std::vector<Time> wakes;
    std::vector<std::unique_ptr<Wakes>> waiters;
    Time period = 0;

  private:
    static std::size_t following(const std::vector<Step>& script, ProcessorId id,
                                 std::size_t from) {
        while (from < script.size() && script[from].processor != id) ++from;
        return from;
    }
};

using Clocks = std::vector<Time>;

}  // namespace symsim::test
