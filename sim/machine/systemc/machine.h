// SPDX-License-Identifier: MIT
// The whole machine as one SystemC module: it builds its parts from the config, starts the guest
// and runs it to its end. The calls come in this order: the constructor, set_input(), attach() and
// call_back_at() as needed, then run() once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/config/config.h"
#include "sim/debug/gdb_session.h"
#include "sim/engine/engine.h"
#include "sim/engine/run_outcome.h"
#include "sim/image/image.h"
#include "sim/image/loaded_code.h"
#include "sim/image/probe_records.h"
#include "sim/image/regions.h"
#include "sim/machine/systemc/device_bus.h"
#include "sim/machine/systemc/devices.h"
#include "sim/machine/systemc/modules.h"

namespace symsim {

class FastDriver;
class ReferenceEngine;

// Where the machine's output goes while it runs.
struct Outlets {
    std::function<void(char)> console;
    std::function<void(char)> results;
    // A byte written to guest.post_port.
    std::function<void(Time, std::uint8_t)> post;
    // Called every simulated millisecond. If it returns true the run ends there.
    std::function<bool(Time)> interrupted;
};

// Wakes processors in the engine that drives them now.
class PresentWaiter final : public Waiter {
  public:
    void set(Waiter& engine) { engine_ = &engine; }
    void wake(ProcessorId processor, Time at) override { engine_->wake(processor, at); }

  private:
    Waiter* engine_ = nullptr;
};

// From `at` on the reference engine drives the machine, whatever engine the config names. `begun`
// is called then.
struct TakeOver {
    Time at;
    std::function<void()> begun;
};

class Machine final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Machine);
    Machine(const sc_core::sc_module_name& name, const Config& config, const Image& image,
            Observer& observer, Outlets outlets, std::optional<TakeOver> take_over = {});
    ~Machine() override;

    // The bytes that the guest reads from the console.
    void set_input(std::vector<std::uint8_t> bytes) { console_.set_input(std::move(bytes)); }

    // Adds a device: any TLM-2.0 target.
    void attach(Address base, Address size, tlm::tlm_target_socket<32>& target) {
        devices_.attach(base, size, target);
    }

    // Runs the guest to its end. Called once.
    const RunOutcome& run();

    const Processor& processor(ProcessorId id) const { return processors_[id]->model; }
    std::size_t processors() const { return processors_.size(); }
    const CacheController& cache(ProcessorId id) const { return caches_[id]->model; }
    // Null if the machine has none.
    const SyncBus* sync_bus() const { return sync_bus_ ? &sync_bus_->model : nullptr; }
    Memory& memory() { return memory_.model; }
    std::uint64_t instructions() const;
    // What has become of the entries, which are those of the processors' schedules.
    std::vector<EntryOutcome> outcomes(const std::vector<ScheduleText>& entries) const;
    DebugTarget debug_target();

    // Called before run(). Like Engine::call_back_at(), but there may be several callbacks.
    void call_back_at(Time at, std::function<Time(Time)> callback) {
        calls_.push_back({at, std::move(callback)});
    }

  private:
    // Makes a device from the arguments of its constructor, and attaches it.
    template <class Device, class... Args>
    void add(const char* name, Address base, Address size, Args&&... args) {
        auto device = std::make_unique<Device>(name, std::forward<Args>(args)...);
        attach(base, size, device->socket);
        more_devices_.push_back(std::move(device));
    }
    void add_devices(const Config& config);
    void build_engine(const Config& config, const Image& image, Observer& observer);
    void take_over(const Parts& parts, const std::vector<WakeState>& wake_states);
    void start(const Image& image);
    bool all_halted() const;
    void watch();
    GuestFailure deadlock_report(Time now) const;

    Observer& observer_;
    const bool rom_;  // the guest is a ROM
    struct Call {
        Time at;  // of the next call; kNever: no more
        std::function<Time(Time)> callback;
    };
    std::vector<Call> calls_;
    Time call(Time now);
    void request_calls();
    RunOutcome outcome_;
    Outlets outlets_;
    Regions regions_;
    ProbePoints probes_;
    ProcessTable processes_;
    LoadedCode loaded_code_;
    MemoryModule memory_;
    DecodeCache decode_cache_;
    DeviceBus devices_;
    Console console_;
    std::vector<std::unique_ptr<sc_core::sc_module>> more_devices_;
    InterconnectModule interconnect_;
    SlicModule slic_;
    std::unique_ptr<SyncBusModule> sync_bus_;  // null: the machine has none
    std::unique_ptr<MonitorModule> monitor_;   // null: the machine has none
    const std::optional<TakeOver> take_over_;
    std::unique_ptr<FastDriver> fast_;            // null: the machine has none
    std::unique_ptr<ReferenceEngine> reference_;  // null: the machine has none
    PresentWaiter waiter_;                        // if it has both
    Engine* engine_ = nullptr;                    // the one that drives it now
    std::vector<std::unique_ptr<CacheModule>> caches_;
    std::vector<std::unique_ptr<ProcessorModule>> processors_;
};

}  // namespace symsim
