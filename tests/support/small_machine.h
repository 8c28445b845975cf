// SPDX-License-Identifier: MIT
// A small machine for tests: a few processors with their caches on one bus, without SystemC. All
// processors start at the same code. step_until() executes as the reference engine does: every
// access at its own time. run_fast_until() uses the fast engine. Both must reach the same state at
// any time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/probe_point.h"
#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/decode_cache.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/slic.h"
#include "sim/engine/fast_engine.h"
#include "sim/protocol/protocols.h"
#include "tests/support/part_configs.h"
#include "tests/support/recording_observer.h"
#include "tests/support/wakes.h"

namespace symsim::test {

// Assembler text: flat segments of ring 0, and an interrupt table at 0x210000, for lgdt and lidt.
constexpr const char* kFlatTables = R"(
        .balign 4
    gdt_pointer:
        .word 0x17
        .long gdt
    idt_pointer:
        .word 0x3ff
        .long 0x210000
        .balign 8
    gdt:
        .quad 0
        .quad 0x00cf9b000000ffff
        .quad 0x00cf93000000ffff
)";

class SmallMachine final : private DeviceSpace, private InterruptPins {
  public:
    static constexpr Address kCode = 0x10'0000;
    static constexpr Address kData = 0x20'0000;

    SmallMachine(unsigned processors, const std::vector<std::uint8_t>& code,
                 const ControllerConfig& config = test_controller_config(),
                 const Protocol* protocol = &protocols::write_through, Isa isa = Isa::i386);

    // Adds a probe point in the code. To be called before anything runs.
    void probe(Address address, ProbeKind kind, const ProbeOperand& operand = {}) {
        probes_.push_back({address, kind, operand});
        probe_points_ = ProbePoints(probes_);
        if (!is_process(kind)) return;
        for (const auto& processor : processors_) processor->set_process_table(process_table_);
    }

    // Executes everything before `to`.
    void step_until(Time to);
    // Executes everything before `to` in the fast engine, which rolls back what it has executed
    // speculatively beyond that. After the first call step_until() must not be used. Returns the
    // time reached, which is earlier if the guest fails.
    Time run_fast_until(Time to);

    // The state of the machine except memory: registers, clocks and progress of each processor, and
    // the lines of `kCode` and `kData` in its cache, with the time of their last use.
    std::string state() const;
    std::string state(ProcessorId processor) const;
    // state() without the cache.
    std::string registers(ProcessorId processor) const;

    // Decodes the instruction at a physical address, as a processor that reaches it does.
    const Op& decode(Address address) { return *code_.at(address, true); }
    Processor& processor(ProcessorId id) { return *processors_[id]; }
    Bus& bus() { return bus_; }
    CacheController& cache(ProcessorId id) { return *caches_[id]; }
    // With step_until(): when a processor has something to do next, and why it stopped.
    Time next(ProcessorId id) const { return next_[id]; }
    StopReason stop_reason(ProcessorId id) const { return stop_reason_[id]; }

    Memory memory{4u << 20};
    RecordingObserver observer;

  private:
    void step(ProcessorId id, Time now);
    void interrupt_line(ProcessorId processor, bool asserted, Time at) override;
    void nmi(ProcessorId processor, Time at) override;
    // A device answers at every address; reads return 0.
    DeviceReply read(Address, unsigned, Time) override { return {true, 0, 0}; }
    DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {true, 0, 0}; }

    DecodeCache code_;
    Bus bus_;
    DeviceSignals signals_;
    Slic slic_;
    std::vector<std::unique_ptr<CacheController>> caches_;
    std::vector<std::unique_ptr<Processor>> processors_;
    std::vector<Time> next_;
    std::vector<std::unique_ptr<Wakes>> waiters_;
    std::vector<StopReason> stop_reason_;
    std::vector<Probe> probes_;
    ProbePoints probe_points_;
    ProcessTable process_table_;
    RunOutcome outcome_;
    std::unique_ptr<FastEngine> engine_;
};

}  // namespace symsim::test
