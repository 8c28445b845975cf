// SPDX-License-Identifier: MIT
#include "tests/cpu/bench.h"
#include "tests/support/part_configs.h"

#include <algorithm>

namespace symsim::test {
namespace {

// A write buffer so deep that stores never wait: tests measure the processor's own clocks.
ControllerConfig roomy(std::uint32_t hit_wait_clocks, StorePolicy store_policy) {
    ControllerConfig config = test_controller_config();
    config.hit_wait_clocks = hit_wait_clocks;
    config.write_buffer_depth = 64;
    config.store_policy = store_policy;
    return config;
}

InterconnectConfig bus_for(const Protocol& protocol) {
    InterconnectConfig config = test_bus_config();
    config.lines_have_owners = protocol.lines_have_owners();
    return config;
}

ProcessorConfig config_of(Isa isa) {
    ProcessorConfig config = test_processor_config();
    config.isa = isa;
    return config;
}

}  // namespace

Bench::Bench(std::uint32_t hit_wait_clocks, Isa isa, StorePolicy store_policy,
             const Protocol& protocol)
    : code(
          memory, [](Address) { return CodeAttributes{}; }, isa,
          test_controller_config().geometry.line_bytes),
      bus(bus_for(protocol), memory, code, *this, observer),
      cache(0, roomy(hit_wait_clocks, store_policy), protocol, bus),
      processor(0, config_of(isa), cache, code, *this) {
    cache.connect(waiter_);
    regs()[esp] = kStack;
    std::fill_n(memory.data() + kCode - 64, 4096, kHlt);
}

StopReason Bench::run(const Bytes& bytes) {
    if (bytes != placed_) {
        std::uint8_t* const place = memory.data() + kCode;
        std::fill_n(place, placed_.size(), kHlt);
        std::copy(bytes.begin(), bytes.end(), place);
        for (Address n = 0; n < std::max(bytes.size(), placed_.size()); ++n)
            code.written(kCode + n, 1);
        placed_ = bytes;
    }
    Context& context = processor.context();
    context.eip = kCode;
    context.arrival = Arrival::in_sequence;
    context.halted = false;
    context.fetched = 0;
    context.accesses = 0;
    return go();
}

StopReason Bench::go() {
    StopReason stop_reason = StopReason::retry;
    next_ = processor.context().time;
    attempts = 0;
    while (stop_reason == StopReason::retry || stop_reason == StopReason::waiting) {
        while (bus.next_event() <= next_) bus.advance(bus.next_event());
        // The processor waits for the bus: simulates bus edges until the controller calls wake().
        while (stop_reason == StopReason::waiting && next_ == kNever) bus.advance(bus.next_event());
        if (stop_reason == StopReason::waiting) processor.resume(next_);
        const Time now = next_;
        ++attempts;
        next_ = kNever;
        stop_reason = processor.run(now, now + ahead);
        processor.marks().clear();
        if (stop_reason == StopReason::retry) next_ = processor.next_time();
        if (at_pause && (stop_reason == StopReason::retry || stop_reason == StopReason::waiting))
            at_pause();
    }
    while (bus.next_event() != kNever) bus.advance(bus.next_event());
    // The next run starts after all bus transactions of this run.
    Context& context = processor.context();
    constexpr unsigned kHltClocks = 5;
    halted_at_ = context.time - kHltClocks * processor.clock().period();
    context.time = std::max(context.time, bus.last_grant() + 10 * kMicrosecond);
    return stop_reason;
}

unsigned Bench::clocks(const Bytes& bytes) {
    const Registers before = regs();
    const Flags flags_before = flags();
    const System system_before = processor.system();
    Time start = 0;
    for (int warm = 0; warm < 3; ++warm) {
        regs() = before;
        flags() = flags_before;
        processor.system() = system_before;
        processor.system_changed();
        start = processor.context().time;
        run(bytes);
    }
    return static_cast<unsigned>((halted_at_ - start) / 62'500);
}

std::unique_ptr<Bench> after(const Bytes& bytes, const std::function<void(Bench&)>& prepare) {
    auto bench = std::make_unique<Bench>();
    if (prepare) prepare(*bench);
    bench->run(bytes);
    return bench;
}

}  // namespace symsim::test
