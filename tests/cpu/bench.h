// SPDX-License-Identifier: MIT
// One processor on its own cache and bus, without SystemC, fed with bytes of code.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/decode_cache.h"
#include "sim/cpu/core/processor.h"
#include "tests/support/recording_observer.h"

namespace symsim::test {

using Bytes = std::vector<std::uint8_t>;

class Bench final : private Waiter, private DeviceSpace, private InterruptSource {
  public:
    static constexpr Address kCode = 0x201000;
    static constexpr Address kData = 0x204000;
    static constexpr Address kStack = 0x208000;  // its top
    static constexpr std::uint8_t kHlt = 0xf4;

    explicit Bench(std::uint32_t hit_wait_clocks = 0, Isa isa = Isa::i386,
                   StorePolicy store_policy = StorePolicy::buffered,
                   const Protocol& protocol = *write_through());

    // Puts the bytes at kCode, with nothing but hlt around them, and executes until hlt or failure.
    // Registers and flags are what they are; eip is set.
    StopReason run(const Bytes& bytes);
    // Executes from eip on.
    StopReason go();

    // Clocks from the first instruction to the hlt, with code and data in the cache.
    unsigned clocks(const Bytes& bytes);

    Registers& regs() { return processor.context().regs; }
    Flags& flags() { return processor.context().flags; }
    // Of the hlt at which it has stopped, not behind it.
    Address eip() const { return processor.context().eip - (processor.context().halted ? 1 : 0); }
    const std::string& complaint() const { return processor.failure().what; }

    // Before each attempt of the processor to go on: how often it was let go on.
    unsigned attempts = 0;
    // It may execute what comes so much later than the present.
    Time ahead = 1;
    // Called at each pause, with nothing committed.
    std::function<void()> at_pause;

    Memory memory{8u << 20};
    DecodeCache code;
    RecordingObserver observer;
    Bus bus;
    CacheController cache;
    Processor processor;

  private:
    void wake(ProcessorId, Time at) override { next_ = at; }
    DeviceReply read(Address, unsigned, Time) override { return {}; }
    DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {}; }
    std::uint8_t acknowledge(ProcessorId, Time) override { return 0; }

    Time next_ = 0;
    Time halted_at_ = 0;
    Bytes placed_;
};

// Looks on only; but nothing is light under a debugger.
class LooksOn : public DebugHook {
  public:
    bool begins(ProcessorId) override { return true; }
    void accessed(ProcessorId, Address, unsigned, bool) override {}
    void failed(ProcessorId) override {}
};

// A new bench that has run these bytes.
std::unique_ptr<Bench> after(const Bytes& bytes,
                             const std::function<void(Bench&)>& prepare = nullptr);

}  // namespace symsim::test
