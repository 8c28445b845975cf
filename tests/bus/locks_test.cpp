// SPDX-License-Identifier: MIT
// A random test of address locks. The bus under test looks only at the ports that a lock or unlock
// can concern. A second bus looks at all ports each time. Both must block the same ports.
#include <algorithm>
#include <optional>
#include <random>

#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

constexpr unsigned kPorts = 9;
constexpr Time kStep = 50'000;  // half a cycle, so that calls also come between edges

struct Locked {
    Address line;
    bool on_bus;
};
struct Asked {
    TransactionKind kind = TransactionKind::read;
    bool granted = true;
};

class RandomLocks : public BusTest {
  protected:
    // Builds both buses. They get the same calls, and each has its own memory and observer.
    void build_both(LockedRequest locked_request) {
        InterconnectConfig config = test_bus_config();
        config.locked_request = locked_request;
        config.filter_snoops = true;
        build(kPorts, config);
        config.filter_snoops = false;
        again = std::make_unique<Bus>(config, memory_again, code, devices, observer_again);
        for (auto& port : ports_again) {
            port = std::make_unique<Port>();
            again->attach(*port);
        }
    }
    template <class Do>
    void both(Do act) {
        act(*bus);
        act(*again);
    }
    void ask(ProcessorId port, TransactionKind kind, Address address, Time at) {
        Request request;
        request.kind = kind;
        request.address = address;
        request.size = is_store(kind) ? 4 : 16;
        request.posted = at;
        both([&](Bus& b) { b.post(port, request); });
        asked[port] = {kind, false};
    }
    void step(ProcessorId port, Time at) {
        auto& own = locks[port];
        const auto line = static_cast<Address>(0x100 + random() % 6 * 16);
        const bool queued = !asked[port].granted && random() % 8 == 0;
        if (waits_for_unlock(port) && own.size() == 1 && random() % 4 == 0)
            return lock_in_cache(port, own[0].line, at);
        if (random() % 4 != 0 || (!asked[port].granted && !queued)) return;
        if (queued) return take_back(port);
        switch (random() % 5) {
            case 0:
                return ask(port, random() % 2 ? TransactionKind::store : TransactionKind::read,
                           line, at);
            case 1:  // only without a lock of its own, or the port could wait for itself or for
                     // ever
                if (own.empty()) return ask(port, TransactionKind::locked_read, line, at);
                break;
            case 2:
                if (own.size() >= 2 || blocked_by_any(line)) return;
                return lock_in_cache(port, line, at);
            default:
                if (!own.empty()) return release_lock(port, at);
        }
    }
    // Whether the port's unlock waits to be granted. Meanwhile the port may lock the line again in
    // its cache.
    bool waits_for_unlock(ProcessorId port) const {
        return !asked[port].granted && asked[port].kind == TransactionKind::unlock;
    }
    void lock_in_cache(ProcessorId port, Address line, Time at) {
        locks[port].push_back({line, false});
        both([&](Bus& b) { b.lock_in_cache(port, line, at); });
    }
    void take_back(ProcessorId port) {
        if (asked[port].kind == TransactionKind::unlock) return;
        both([&](Bus& b) { b.withdraw(port); });
        asked[port].granted = true;
    }
    void release_lock(ProcessorId port, Time at) {
        const Locked last = locks[port].back();
        if (last.on_bus) return ask(port, TransactionKind::unlock, last.line, at);
        locks[port].pop_back();
        both([&](Bus& b) { b.release(port, last.line, false, at); });
    }
    bool blocked_by_any(Address line) const {
        return std::any_of(locks.begin(), locks.end(), [=](const auto& own) {
            return std::any_of(own.begin(), own.end(),
                               [=](const Locked& l) { return l.line == line; });
        });
    }
    // Updates `asked` and `locks` by the grants that the first bus has reported since it had
    // reported `uses_before` uses.
    void note_granted(std::size_t uses_before) {
        for (std::size_t n = uses_before; n < observer.uses.size(); ++n) {
            const BusUse& use = observer.uses[n];
            if (use.reply) continue;
            asked[use.processor].granted = true;
            auto& own = locks[use.processor];
            if (use.kind == TransactionKind::locked_read) own.push_back({use.address, true});
            if (use.kind != TransactionKind::unlock) continue;
            own.erase(std::find_if(own.begin(), own.end(), [&](const Locked& l) {
                return l.on_bus && l.line == use.address;
            }));
        }
    }
    void expect_same() const {
        ASSERT_EQ(bus->next_event(), again->next_event());
        ASSERT_EQ(observer.uses.size(), observer_again.uses.size());
        if (observer.uses.empty()) return;
        ASSERT_EQ(observer.uses.back().start, observer_again.uses.back().start);
        ASSERT_EQ(observer.uses.back().processor, observer_again.uses.back().processor);
        ASSERT_EQ(observer.uses.back().kind, observer_again.uses.back().kind);
        ASSERT_EQ(observer.uses.back().locked, observer_again.uses.back().locked);
    }

    std::mt19937 random;
    Memory memory_again{1 << 20};
    RecordingObserver observer_again;
    std::array<std::unique_ptr<Port>, kPorts> ports_again;
    std::unique_ptr<Bus> again;
    std::array<std::vector<Locked>, kPorts> locks;
    std::array<Asked, kPorts> asked;
};

TEST_F(RandomLocks, BlockTheSamePortsAsOnABusThatChecksAllPorts) {
    for (const LockedRequest way :
         {LockedRequest::skip, LockedRequest::keep_turn, LockedRequest::hold_bus})
        for (unsigned seed = 0; seed < 40; ++seed) {
            SCOPED_TRACE(testing::Message()
                         << "seed " << seed << ", way " << static_cast<int>(way));
            random.seed(seed);
            locks = {};
            asked = {};
            observer_again = {};
            build_both(way);
            std::size_t locked = 0;
            for (Time at = 0; at < 4'000 * kCycle; at += kStep) {
                for (ProcessorId p = 0; p < kPorts; ++p) step(p, at);
                ASSERT_NO_FATAL_FAILURE(expect_same());
                while (bus->next_event() <= at) {
                    const std::size_t before = observer.uses.size();
                    both([](Bus& b) { b.advance(b.next_event()); });
                    note_granted(before);
                    ASSERT_NO_FATAL_FAILURE(expect_same());
                }
                for (const auto& own : locks) locked += own.size();
            }
            // The bus was used, and lines were locked.
            EXPECT_GT(observer.uses.size(), 500u);
            EXPECT_GT(locked, 500u);
        }
}

}  // namespace
}  // namespace symsim::test
