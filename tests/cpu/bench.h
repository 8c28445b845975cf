// SPDX-License-Identifier: MIT
// Test bench: one processor with its own cache and bus, without SystemC, that executes bytes of
// code. A test sets registers and memory, calls run() and looks at what is left.
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
#include "sim/protocol/protocols.h"
#include "tests/support/recording_observer.h"
#include "tests/support/wakes.h"

namespace symsim::test {

using Bytes = std::vector<std::uint8_t>;

class Bench final : private DeviceSpace, private InterruptSource {
  public:
    static constexpr Address kCode = 0x201000;
    static constexpr Address kData = 0x204000;
    static constexpr Address kStack = 0x208000;  // its top
    static constexpr std::uint8_t kHlt = 0xf4;

    explicit Bench(std::uint32_t hit_wait_clocks = 0, Isa isa = Isa::i386,
                   StorePolicy store_policy = StorePolicy::buffered,
                   const Protocol& protocol = protocols::write_through);

    // Puts the bytes at kCode, surrounded by hlt, and executes until hlt or failure. Sets eip and
    // leaves the other registers and the flags as they are.
    StopReason run(const Bytes& bytes);
    // Executes from the current eip until hlt or failure.
    StopReason go();

    // Clocks from the first instruction up to the hlt, with code and data in the cache: runs the
    // bytes three times and measures the last run.
    unsigned clocks(const Bytes& bytes);

    Registers& regs() { return processor.context().regs; }
    Flags& flags() { return processor.context().flags; }
    // The address of the hlt at which the processor has stopped, not of the instruction after it.
    Address eip() const { return processor.context().eip - (processor.context().halted ? 1 : 0); }
    const std::string& complaint() const { return processor.failure().what; }

    // How often go() has called Processor::run().
    unsigned attempts = 0;
    // How far beyond commit time the processor may run.
    Time ahead = 1;
    // Whether a device answers at every address and port; reads return 0.
    bool answers = false;
    // Called at each stop to retry or to wait. The current instruction has changed nothing yet.
    std::function<void()> at_pause;

    Memory memory{8u << 20};
    DecodeCache code;
    RecordingObserver observer;
    Bus bus;
    CacheController cache;
    Processor processor;

  private:
    DeviceReply read(Address, unsigned, Time) override { return {answers}; }
    DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {answers}; }
    std::uint8_t acknowledge(ProcessorId, Time) override { return 0; }

    Time next_ = 0;
    Wakes waiter_{0, observer, next_};
    Time halted_at_ = 0;
    Bytes placed_;
};

// Observes only, but forces the slow path: under a debug hook no instruction takes the fast path.
class LooksOn : public DebugHook {
  public:
    bool begins(ProcessorId) override { return true; }
    void accessed(ProcessorId, const OperandAccess&) override {}
    void failed(ProcessorId) override {}
};

// A new bench that has run these bytes, after `prepare`.
std::unique_ptr<Bench> after(const Bytes& bytes,
                             const std::function<void(Bench&)>& prepare = nullptr);

}  // namespace symsim::test
