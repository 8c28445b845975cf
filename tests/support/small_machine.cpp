// SPDX-License-Identifier: MIT
// Connects the parts of the small machine, and steps them in order of time.
#include "tests/support/small_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/activity.h"
#include "tests/support/part_configs.h"

namespace symsim::test {

namespace {
InterconnectConfig bus_for(const Protocol* protocol) {
    InterconnectConfig config = test_bus_config();
    config.lines_have_owners = protocol->lines_have_owners();
    return config;
}
}  // namespace

SmallMachine::SmallMachine(unsigned processors, const std::vector<std::uint8_t>& code,
                           const ControllerConfig& config, const Protocol* protocol, Isa isa)
    : code_(
          memory,
          [this](Address a) {
              return CodeAttributes{Activity::user, probe_points_.at(a)};
          },
          isa, config.geometry.line_bytes),
      bus_(bus_for(protocol), memory, code_, *this, observer),
      slic_({}, {processors, test_bus_config().period(), &signals_}),
      next_(processors, 0),
      stop_reason_(processors, StopReason::retry) {
    signals_.connect(*this);
    std::copy(code.begin(), code.end(), memory.data() + kCode);
    ControllerConfig own = config;
    own.processors = processors;
    ProcessorConfig processor = test_processor_config();
    processor.isa = isa;
    for (ProcessorId id = 0; id < processors; ++id) {
        caches_.push_back(std::make_unique<CacheController>(id, own, *protocol, bus_));
        waiters_.push_back(std::make_unique<Wakes>(id, observer, next_[id]));
        caches_[id]->connect(*waiters_[id]);
        processors_.push_back(
            std::make_unique<Processor>(id, processor, *caches_[id], code_, slic_));
        caches_[id]->add_device(&slic_);
        processors_[id]->context().eip = kCode;
    }
}

void SmallMachine::step_until(Time to) {
    for (;;) {
        const auto first = std::min_element(next_.begin(), next_.end());
        const Time edge = bus_.next_event();
        const Time now = std::min({*first, edge, signals_.next_event()});
        if (now >= to) return;
        if (signals_.next_event() <= now)
            signals_.advance(now);
        else if (edge <= *first)
            bus_.advance(edge);
        else
            step(static_cast<ProcessorId>(first - next_.begin()), now);
    }
}

void SmallMachine::step(ProcessorId id, Time now) {
    Processor& processor = *processors_[id];
    next_[id] = kNever;
    if (stop_reason_[id] == StopReason::halted) {
        if (!processor.wakes()) return;
        observer.resumed(id, now);
    }
    if (stop_reason_[id] == StopReason::waiting) {
        processor.resume(now);
        observer.resumed(id, now);
    }
    stop_reason_[id] = StopReason::retry;
    stop_reason_[id] = processor.run(now, now + 1);
    if (!processor.marks().empty()) observer.passed(id, processor.marks());
    processor.marks().clear();
    if (stop_reason_[id] == StopReason::halted) observer.halted(id, now);
    if (stop_reason_[id] == StopReason::retry) next_[id] = processor.next_time();
}

Time SmallMachine::run_fast_until(Time to) {
    if (!engine_) {
        engine_ = std::make_unique<FastEngine>(outcome_);
        Parts parts;
        parts.interconnect = &bus_;
        parts.signals = &signals_;
        for (const auto& cache : caches_) parts.caches.push_back(cache.get());
        for (const auto& processor : processors_) parts.processors.push_back(processor.get());
        engine_->build(parts, observer);
    }
    engine_->run_until(to);
    const Time end = std::min(to, outcome_.bound());
    engine_->synchronise(end);
    return end;
}

void SmallMachine::interrupt_line(ProcessorId processor, bool asserted, Time at) {
    processors_[processor]->set_interrupt_line(asserted);
    if (stop_reason_[processor] == StopReason::halted) next_[processor] = at;
}

void SmallMachine::nmi(ProcessorId processor, Time at) {
    processors_[processor]->signal_nmi();
    if (stop_reason_[processor] == StopReason::halted) next_[processor] = at;
}

std::string SmallMachine::state() const {
    std::string all;
    for (ProcessorId id = 0; id < processors_.size(); ++id) all += state(id);
    return all;
}

std::string SmallMachine::registers(ProcessorId id) const {
    const Context& c = processors_[id]->context();
    std::string text = fmt::format(
        "processor {}: eip {:x} registers {:x} flags {:x} time {} instructions {} fetch line {:x} "
        "depth {} fetched {} branched {} releasing {} activity {} values",
        id, c.eip, fmt::join(c.regs.r, " "), c.flags.value(), c.time, c.instructions, c.fetch_line,
        c.critical_depth, c.fetched, static_cast<int>(c.arrival), c.releasing, name(c.activity));
    for (unsigned i = 0; i < c.accesses; ++i)
        text += fmt::format(" {:x}", processors_[id]->log()[i]);
    return text;
}

std::string SmallMachine::state(ProcessorId id) const {
    std::string text = registers(id) + "\nlines";
    for (const Address base : {kCode, kData})
        for (Address a = base; a < base + 0x10000; a += 8)
            if (const Line* line = caches_[id]->cache().find(a); line && line->address == a)
                text += fmt::format(" {:x}:{}:{}", a, index(line->state), line->used);
    return text + "\n";
}

}  // namespace symsim::test
