// SPDX-License-Identifier: MIT
// The whole machine as one SystemC module: it builds its parts from the config, starts the guest
// and runs it to its end. The calls come in this order: the constructor, attach() and
// call_back_at() as needed, then run() once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/cache/controller.h"
#include "sim/config/config.h"
#include "sim/cpu/core/processor.h"
#include "sim/debug/gdb_session.h"
#include "sim/devices/device.h"
#include "sim/devices/results.h"
#include "sim/engine/engine.h"
#include "sim/image/image.h"
#include "sim/image/loaded_code.h"
#include "sim/image/probe_records.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/memory.h"
#include "sim/machine/systemc/device_bus.h"

namespace symsim {

class FastDriver;
class ReferenceEngine;

// From `at` on the reference engine drives the machine, whatever engine the config names. `begun`
// is called then.
struct TakeOver {
    Time at;
    std::function<void()> begun;
};

class Machine final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Machine);
    // `interrupted` is called every simulated millisecond. If it returns true the run ends there.
    Machine(const sc_core::sc_module_name& name, const Config& config, const Image& image,
            Observer& observer, const Outlets& outlets, std::function<bool(Time)> interrupted,
            std::optional<TakeOver> take_over = {});
    ~Machine() override;

    // Adds a TLM-2.0 target that is not a device of symsim (sim/devices/devices.h).
    void attach(Address base, Address size, tlm::tlm_target_socket<32>& target) {
        device_bus_.attach(base, size, target);
    }

    // Runs the guest to its end. Called once.
    const RunOutcome& run();

    const Processor& processor(ProcessorId id) const { return *processors_[id]; }
    std::size_t processors() const { return processors_.size(); }
    const CacheController& cache(ProcessorId id) const { return *caches_[id]; }
    Memory& memory() { return memory_; }
    std::uint64_t instructions() const;
    // What has become of the entries, which are those of the processors' schedules.
    std::vector<EntryOutcome> outcomes(const std::vector<ScheduleText>& entries) const;
    // Of the devices that report something.
    std::vector<DeviceReport> device_reports() const;
    // The process that the processor runs, if the guest reports its processes.
    std::optional<std::uint32_t> process_on(ProcessorId processor) const {
        return processes_.current(processor);
    }
    DebugTarget debug_target();

    // Called before run(), once. Like Engine::call_back_at().
    void call_back_at(Time at, std::function<Time(Time)> callback) {
        call_at_ = at;
        callback_ = std::move(callback);
    }

  private:
    void add_devices(const Config& config, const Outlets& outlets);
    void build_engine(const Config& config, const Image& image, Observer& observer);
    void take_over(const std::vector<WakeState>& wake_states);
    void start(const Image& image);
    bool all_halted() const;
    void watch();
    GuestFailure deadlock_report(Time now) const;

    Observer& observer_;
    const bool rom_;         // the guest is a ROM
    Time call_at_ = kNever;  // when callback_ is called next; kNever: not any more
    std::function<Time(Time)> callback_;
    void request_call();
    RunOutcome outcome_;
    std::function<bool(Time)> interrupted_;
    Regions regions_;
    ProbePoints probes_;
    ProcessTable processes_;
    LoadedCode loaded_code_;
    Memory memory_;
    DecodeCache decode_cache_;
    DeviceBus device_bus_;
    std::unique_ptr<Interconnect> interconnect_;
    DeviceSignals signals_;
    std::vector<std::unique_ptr<Device>> devices_;
    const std::optional<TakeOver> take_over_;
    std::unique_ptr<FastDriver> fast_;            // null: the machine has none
    std::unique_ptr<ReferenceEngine> reference_;  // null: the machine has none
    Engine* engine_ = nullptr;                    // the one that drives it now
    std::vector<std::unique_ptr<CacheController>> caches_;
    std::vector<std::unique_ptr<Processor>> processors_;
    Parts parts_;
};

}  // namespace symsim
