// SPDX-License-Identifier: MIT
// The arbiter chooses by sets of ports. This test compares it with one that asks each port in turn,
// on random requests, locks and busy memory controllers, under all options.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/bus/arbiter.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

// The rules of the arbiter, one port after the other.
class OneByOne {
  public:
    explicit OneByOne(const InterconnectConfig& config) : config_(config) {}

    ProcessorId choose(const Candidates& candidates, Time at) {
        candidates_ = &candidates;
        at_ = at;
        ProcessorId owner = kNobody;
        candidates.locks.for_each_owner([&](ProcessorId port) {
            if (eligible(port) && accepted(port) && free(port)) owner = port;
            return owner != kNobody;
        });
        if (owner != kNobody) return owner;
        std::vector<ProcessorId> high, low;
        for (ProcessorId p = 0; p < kMaxProcessors; ++p) {
            if (!candidates.requests.pending().contains(p) || (!keeps_turn() && !free(p))) continue;
            const bool last = config_.locked_class == LockedClass::low &&
                              candidates.requests.kind(p) == TransactionKind::locked_read;
            (last ? low : high).push_back(p);
        }
        const ProcessorId port = choose_of(high);
        return port != kNobody ? port : choose_of(low);
    }
    void request_gone(ProcessorId port) { passed_over_.remove(port); }
    void locks_changed() { kept_at_ = -1; }
    bool kept_turn(Time at) const { return kept_at_ == at; }

  private:
    bool keeps_turn() const { return config_.locked_request == LockedRequest::keep_turn; }
    bool eligible(ProcessorId port) const { return candidates_->requests.eligible(port) <= at_; }
    bool accepted(ProcessorId port) const { return candidates_->memory.accepts_from(port) <= at_; }
    bool free(ProcessorId port) const { return !candidates_->locks.blocked().contains(port); }
    static unsigned place(ProcessorId port, ProcessorId first) {
        return (port + kMaxProcessors - first) % kMaxProcessors;
    }

    ProcessorId choose_of(const std::vector<ProcessorId>& ports) {
        if (config_.arbitration == Arbitration::oldest) return oldest(ports);
        std::vector<ProcessorId> passed;
        for (const ProcessorId p : ports)
            if (passed_over_.contains(p)) passed.push_back(p);
        const ProcessorId port = oldest(passed);
        return port != kNobody ? port : in_turn(ports);
    }
    ProcessorId oldest(const std::vector<ProcessorId>& ports) const {
        ProcessorId found = kNobody;
        const auto key = [&](ProcessorId p) {
            return std::pair(candidates_->requests.eligible(p), place(p, turn_));
        };
        for (const ProcessorId p : ports)
            if (eligible(p) && accepted(p) && (found == kNobody || key(p) < key(found))) found = p;
        return found != kNobody && free(found) ? found : kNobody;
    }
    ProcessorId in_turn(const std::vector<ProcessorId>& ports) {
        const bool rotates = config_.arbitration == Arbitration::round_robin;
        const ProcessorId first = rotates ? turn_ : 0;
        ProcessorSet among, passed;
        for (const ProcessorId p : ports) among.add(p);
        for (unsigned n = 0; n < kMaxProcessors; ++n) {
            const ProcessorId p = (first + n) % kMaxProcessors;
            if (!eligible(p)) continue;
            const bool bypassed = config_.locked_request == LockedRequest::bypass && !free(p);
            const bool refused = among.contains(p) && !accepted(p);
            if (bypassed || refused) passed.add(p);
            if (!among.contains(p) || !accepted(p)) continue;
            if (free(p)) {
                if (rotates) passed_over_ |= passed.without(p);
                turn_ = (p + 1) % kMaxProcessors;
                return p;
            }
            if (!keeps_turn()) continue;
            kept_at_ = at_;
            return kNobody;
        }
        return kNobody;
    }

    InterconnectConfig config_;
    const Candidates* candidates_ = nullptr;
    Time at_ = 0;
    ProcessorSet passed_over_;
    ProcessorId turn_ = 0;
    Time kept_at_ = -1;
};

using Options = std::tuple<Arbitration, LockedRequest, LockedClass, std::uint32_t>;
class ArbiterOneByOne : public ::testing::TestWithParam<Options> {};

INSTANTIATE_TEST_SUITE_P(
    AllOptions, ArbiterOneByOne,
    ::testing::Combine(
        ::testing::Values(Arbitration::round_robin, Arbitration::fixed, Arbitration::oldest),
        ::testing::Values(LockedRequest::skip, LockedRequest::keep_turn, LockedRequest::bypass),
        ::testing::Values(LockedClass::same, LockedClass::low), ::testing::Values(1u, 2u)));

TEST_P(ArbiterOneByOne, ChoosesTheSamePort) {
    InterconnectConfig config = test_bus_config();
    std::tie(config.arbitration, config.locked_request, config.locked_class,
             config.memory.read_pipe) = GetParam();
    config.memory.controllers = 2;
    config.memory.interleave_bytes = 32;
    config.memory.read_busy_cycles = 3;
    config.memory.store_busy_cycles = 5;
    constexpr std::array kKinds = {TransactionKind::read, TransactionKind::locked_read,
                                   TransactionKind::store, TransactionKind::unlock};
    constexpr ProcessorId kPorts = 10;
    std::mt19937 random(1);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Candidates candidates(config, false);
    Arbiter arbiter(config);
    OneByOne expected(config);
    std::vector<std::pair<ProcessorId, Address>> locks;
    const auto locks_changed = [&] {
        arbiter.locks_changed();
        expected.locks_changed();
    };
    int grants = 0;
    for (Time at = config.period(); grants < 3000; at += config.period()) {
        for (ProcessorId port = 0; port < kPorts; ++port)
            if (!candidates.requests.pending().contains(port) && below(3) == 0)
                candidates.requested(port, kKinds[below(kKinds.size())], 16 * below(8),
                                     at + config.period() * (Time{below(5)} - 1));
        if (locks.size() < 2 && below(4) == 0) {
            const ProcessorId owner = below(kPorts);
            const Address line = 16 * below(8);
            const std::pair<ProcessorId, Address> lock(owner, line);
            if (std::find(locks.begin(), locks.end(), lock) == locks.end()) {
                locks.push_back(lock);
                candidates.locks.begin(owner, line, true, candidates.requests);
                locks_changed();
            }
        } else if (!locks.empty() && below(4) == 0) {
            candidates.locks.end(locks[0].first, locks[0].second, true, candidates.requests);
            locks.erase(locks.begin());
            locks_changed();
        }
        const ProcessorId port = arbiter.choose(candidates, at);
        ASSERT_EQ(port, expected.choose(candidates, at)) << "grant " << grants;
        ASSERT_EQ(arbiter.kept_turn(at), expected.kept_turn(at)) << "grant " << grants;
        if (port == kNobody) continue;
        ++grants;
        candidates.memory.accept(candidates.requests.kind(port), candidates.requests.line(port),
                                 at);
        arbiter.request_gone(port);
        expected.request_gone(port);
        candidates.no_request(port);
    }
}

}  // namespace
}  // namespace symsim::test
