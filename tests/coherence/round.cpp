// SPDX-License-Identifier: MIT
// Runs a round: ports and bus in order of time, speculation and its rollback.
#include "tests/coherence/round.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/activity.h"
#include "sim/bus/crossbar.h"
#include "sim/nodes/nodes.h"
#include "tests/coherence/bus_oracle.h"
#include "tests/coherence/nodes_blocks.h"
#include "tests/coherence/nodes_oracle.h"

namespace symsim::test {

namespace {
// Some port must make an access within this number of bus cycles. The longest legitimate silence is
// a pause of 200 clocks. Or a line is unavailable for 30 cycles, and a few transactions of at most
// 30 cycles follow.
constexpr Time kStillAlive = 1'000;
// With round-robin arbitration every port must make an access within this number of bus cycles.
// Requests are not served in order of arrival, so no bound can be derived. The number is many times
// the longest wait in millions of accesses.
constexpr Time kStarved = 20'000;
// On nodes a request occupies links and controllers of several nodes for some hundred cycles, and
// 64 ports may want one block.
constexpr Time kStillAliveOnNodes = 10'000;
// One that finds no room at its home goes round the ring while others come first. Ten times the
// longest wait in 24 million accesses.
constexpr Time kStarvedOnNodes = 300'000;
// The state of the nodes is checked once in so many events, which takes about as long as the rest.
constexpr std::uint32_t kEdgesPerCheck = 50;
}  // namespace

Round::Round(const RoundConfig& config, const ProtocolCase& protocol, Reached& reached)
    : config_(config),
      random_(config.seed ^ 0x9e37'79b9'7f4a'7c15),
      random_edges_(config.seed),
      instructions_(config),
      memory_((kTables + 1) * kPageBytes) {
    for (Address a = 0; a < memory_.size(); a += 4) memory_.write(a, 4, random_.word());
    build(protocol, reached);
    for (ProcessorId id = 0; id < config.ports; ++id) {
        auto port = std::make_unique<Port>(*this, id);
        port->cache =
            std::make_unique<CacheController>(id, config.cache, *protocol.protocol, *bus_);
        port->cache->connect(*port);
        port->undo_log.emplace(*port->cache);
        port->left = config.accesses_per_port;
        oracle_->add(*port->cache);
        ports_.push_back(std::move(port));
    }
}

// The interconnect, and the oracle for it.
void Round::build(const ProtocolCase& protocol, Reached& reached) {
    if (config_.on_nodes) {
        auto oracle = std::make_unique<NodesOracle>(config_, memory_);
        auto nodes = std::make_unique<Nodes>(config_.nodes, memory_, code_, devices_, *oracle,
                                             *protocol.node, *protocol.home);
        nodes_ = nodes.get();
        oracle->connect(*nodes);
        bus_ = std::move(nodes);
        oracle_ = std::move(oracle);
        return;
    }
    oracle_ = std::make_unique<BusOracle>(config_, protocol.rules, memory_, reached);
    if (config_.crossbar)
        bus_ = std::make_unique<Crossbar>(config_.bus, memory_, code_, devices_, *oracle_);
    else
        bus_ = std::make_unique<Bus>(config_.bus, memory_, code_, devices_, *oracle_);
}

void Round::run() {
    for (const auto& port : ports_) {
        instructions_.next(random_, port->instruction);
        port->next = clocks(random_.below(20));
    }
    while (next_event()) continue;
    for (const auto& port : ports_)
        if (port->asked || port->left > 0)
            throw Incoherent(fmt::format("port {} waits for ever", port->id));
    oracle_->finished();
    check_state();
}

// False: there is none.
bool Round::next_event() {
    Port* first = ports_.front().get();
    for (const auto& port : ports_)
        if (port->next < first->next) first = port.get();
    const Time edge = bus_->next_event();
    if (edge == kNever && first->next == kNever) return false;
    if (edge <= first->next) {
        confirm_all(edge, 0);
        now_ = edge;
        on_bus_ = true;
        oracle_->edge_begins(edge);
        bus_->advance(edge);
        on_bus_ = false;
        oracle_->edge_done();
        if (random_edges_.one_in(kEdgesPerCheck)) check_state();
    } else {
        now_ = first->next;
        act(*first);
    }
    check_progress();
    return true;
}

void Round::check_state() const {
    if (!nodes_) return;
    const NodesBlocks blocks(*nodes_, config_.nodes, memory_.size(), ports_.size(), now_ + 1);
    blocks.check();
    for (const auto& port : ports_)
        for (const Line& line : port->cache->cache().lines())
            if (line.state != LineState::invalid) blocks.check_line(port->id, line);
}

void Round::check_progress() const {
    const Time cycle = config_.bus.period();
    const Time still_alive = config_.on_nodes ? kStillAliveOnNodes : kStillAlive;
    const Time starved = config_.on_nodes ? kStarvedOnNodes : kStarved;
    if (now_ - progress_at_ > still_alive * cycle) throw Incoherent("nobody gets on");
    // These may starve some ports.
    if (!config_.on_nodes && (config_.bus.arbitration == Arbitration::fixed ||
                              config_.bus.locked_class == LockedClass::low))
        return;
    for (const auto& port : ports_)
        if (port->asked && now_ - port->asked_at > starved * cycle)
            throw Incoherent(fmt::format("port {} does not get on", port->id));
}

void Round::Port::wake(Time at) {
    if (!asked || next != kNever)
        throw Incoherent(fmt::format("port {} is woken and does not wait", id));
    if (at < round.now_ || at % round.config_.cache.processor_period != 0)
        throw Incoherent(fmt::format("port {} is woken at {} ps, at {} ps", id, at, round.now_));
    next = at;
}

// An exchange in an own line is a locked load and a locked store, as for the processor.
Access Round::exchange(CacheController& cache, const Step& step, const AccessTime& when,
                       std::uint32_t& value) {
    if (const auto answer = cache.exchange(step.address, step.size, when, step.value, value))
        return *answer;
    if (cache.locked_load(step.address, step.size, when, value) != Access::hit ||
        cache.locked_store(step.address, step.size, when, step.value) != Access::hit)
        throw Incoherent("an exchange in an own line waits");
    cache.unlock(when);
    return Access::hit;
}

Access Round::ask(Port& port, const Step& step, const AccessTime& when, std::uint32_t& value) {
    CacheController& cache = *port.cache;
    switch (step.what) {
        case Step::What::load:
            return cache.load(step.address, step.size, when, value);
        case Step::What::store:
            return cache.store(step.address, step.size, when, step.value);
        case Step::What::fetch:
            return cache.fetch(step.address, when, step.branched);
        case Step::What::locked_load:
            return cache.locked_load(step.address, step.size, when, value);
        case Step::What::locked_store:
            return cache.locked_store(step.address, step.size, when, step.value);
        case Step::What::exchange:
            return exchange(cache, step, when, value);
        case Step::What::unlock:
            cache.unlock(when);
            return Access::made;
        case Step::What::unlock_line:
            cache.unlock(step.address, when);
            return Access::made;
    }
    return Access::retry;
}

// Requests the step under way; if it is made, sets the time of the next step.
void Round::act(Port& port) {
    confirm_all(now_, port.id);
    confirm(port, kNever);
    port.ahead.clear();
    const Step& step = port.instruction[port.step];
    if (!port.asked) {
        oracle_->asked(port.id, step, now_);
        port.asked = true;
        port.asked_at = now_;
    }
    port.next = kNever;
    std::uint32_t value = 0;
    const Access answer = ask(port, step, {now_, true, Activity::user}, value);
    oracle_->answered(port.id, answer, value, now_);
    if (answer == Access::waiting) return;
    port.asked = false;
    progress_at_ = now_;
    if (config_.on_nodes || config_.bus.arbitration == Arbitration::round_robin)
        longest_wait_ = std::max(longest_wait_, now_ - port.asked_at);
    if (!is_unlock(step.what)) {
        ++accesses_;
        if (port.left > 0) --port.left;
    }
    ++port.step;
    proceed(port, answer == Access::hit ? now_ + port.cache->hit_wait() : now_);
}

void Round::proceed(Port& port, Time at) {
    if (port.step == port.instruction.size()) {
        if (port.left == 0) return;
        instructions_.next(random_, port.instruction);
        port.step = 0;
        if (random_.one_in(4)) {
            run_ahead(port, at);
            return;
        }
    }
    port.next = at + clocks(port.instruction[port.step].pause_clocks);
}

// Makes hits speculatively. The first access that must wait until commit time becomes the port's
// next instruction.
void Round::run_ahead(Port& port, Time at) {
    port.confirmed = 0;
    port.window = now_;
    port.undo_log->save(0, now_);
    const std::uint32_t most = 1 + random_.below(12);
    for (std::uint32_t i = 0; i < most; ++i) {
        const Step step = instructions_.ahead(random_);
        at += clocks(step.pause_clocks);
        std::uint32_t value = 0;
        const Access answer = ask(port, step, {at, false, Activity::user}, value);
        if (answer == Access::retry) {
            port.instruction = {step};
            break;
        }
        if (answer != Access::hit)
            throw Incoherent(
                fmt::format("port {}: an access ahead is answered {}", port.id, index(answer)));
        const bool stores = step.what == Step::What::store;
        if (stores && code_.covers(step.address, step.size))
            throw Incoherent(fmt::format("port {}: stores ahead where there is code", port.id));
        stores_ahead_ += stores;
        oracle_->hit_ahead(port.id, step, at);
        port.ahead.push_back({step, at, value});
        at += port.cache->hit_wait();
    }
    // One clock after the last hit: at the same time the next step would precede it.
    port.next = at + clocks(1);
}

// Commit time passes the hits earlier than `before`: the oracle checks the values they read.
void Round::confirm(Port& port, Time before) {
    for (; port.confirmed < port.ahead.size(); ++port.confirmed) {
        const Ahead& ahead = port.ahead[port.confirmed];
        if (ahead.at >= before) return;
        ++hits_ahead_;
        oracle_->confirmed(port.id, ahead.step, ahead.value, ahead.at);
    }
}

// Confirms all hits earlier than `now`, and those at `now` of ports with a number below `up_to`.
void Round::confirm_all(Time now, ProcessorId up_to) {
    for (const auto& port : ports_)
        if (!port->ahead.empty()) confirm(*port, now + (port->id < up_to));
}

// Rolls the port back. Hits before the change are made again and must give the same values; hits at
// or after it are discarded.
void Round::Port::about_to_change(Address, const Line* line, Time at) {
    if (ahead.empty() || !line || line->used < window) return;
    const bool on_bus = std::exchange(round.on_bus_, false);
    ++round.rollbacks_;
    undo_log->restore(0);
    round.oracle_->rolled_back(id);
    const auto first_after =
        std::find_if(ahead.begin(), ahead.end(), [=](const Ahead& a) { return a.at >= at; });
    for (auto a = ahead.begin(); a != first_after; ++a) {
        std::uint32_t value = 0;
        if (round.ask(*this, a->step, {a->at, false, Activity::user}, value) != Access::hit ||
            value != a->value)
            throw Incoherent(
                fmt::format("port {}: an access at {} ps, gone through again, comes "
                            "out otherwise",
                            id, a->at));
    }
    for (auto a = first_after; a != ahead.end(); ++a)
        round.stores_rolled_back_ += a->step.what == Step::What::store;
    if (first_after != ahead.end()) next = first_after->at;
    window = at;
    undo_log->save(0, at);
    ahead.clear();
    confirmed = 0;
    round.on_bus_ = on_bus;
}

std::string Round::dump() const {
    std::string text = config_.text();
    text += fmt::format("at {} ps, {} accesses made, last one at {} ps, next bus edge {}\n", now_,
                        accesses_, progress_at_, bus_->next_event());
    for (const auto& port : ports_)
        text += fmt::format("next {}, since {}: ", port->next, port->asked_at) +
                oracle_->dump(port->id);
    return text + "the bus lately:\n" + oracle_->recent_uses();
}

}  // namespace symsim::test
