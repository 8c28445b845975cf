// SPDX-License-Identifier: MIT
// The whole machine as one SystemC module: it builds its parts from the config, starts the guest
// and runs it to its end. The calls come in this order: the constructor, set_input(), attach(),
// call_back_at() and load() as needed, then run() once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/config/config.h"
#include "sim/debug/debug_target.h"
#include "sim/engine/engine.h"
#include "sim/engine/run_outcome.h"
#include "sim/events/observer.h"
#include "sim/image/image.h"
#include "sim/image/loaded_code.h"
#include "sim/image/probe_records.h"
#include "sim/image/regions.h"
#include "sim/machine/systemc/device_bus.h"
#include "sim/machine/systemc/devices.h"
#include "sim/machine/systemc/modules.h"

namespace cereal {
class PortableBinaryOutputArchive;
}  // namespace cereal

namespace symsim {

class LoadArchive;

// Where the machine's output goes while it runs.
struct Outlets {
    std::function<void(char)> console;
    std::function<void(char)> results;
    // A byte written to guest.post_port.
    std::function<void(Time, std::uint8_t)> post;
    // Called every simulated millisecond. If it returns true the run ends there.
    std::function<bool(Time)> interrupted;
};

class Machine final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Machine);
    Machine(const sc_core::sc_module_name& name, const Config& config, const Image& image,
            Observer& observer, Outlets outlets);

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

    // Checkpoints. Only a machine with the fast engine can be saved. save() is called from a
    // callback of call_back_at(), and only if can_be_saved(): within some instructions a processor
    // has state that its archive does not contain.
    bool can_be_saved() const;
    void save(cereal::PortableBinaryOutputArchive& archive);
    // Called before run(), with either engine: restores the state that was saved at `at`. Returns
    // the processors' wake states. Throws StateError if the machine cannot be in that state.
    std::vector<WakeState> load(LoadArchive& archive, Time at);
    const ProcessTable& processes() const { return processes_; }
    Time bus_free_at() const { return interconnect_.model->free_at(); }

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
    void start(const Image& image);
    bool all_halted() const;
    void watch();
    GuestFailure deadlock_report(Time now) const;
    void check_loaded(const std::vector<WakeState>& wake_states, Time at) const;

    Observer& observer_;
    const bool rom_;  // the guest is a ROM
    Time begin_ = 0;  // 0, or the time of the checkpoint that was loaded
    struct Call {
        Time at;  // of the next call; kNever: no more
        std::function<Time(Time)> callback;
    };
    std::vector<Call> calls_;
    Time call(Time now);
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
    std::unique_ptr<sc_core::sc_module> engine_module_;
    Engine* engine_ = nullptr;
    std::function<void(const ProcessorSet&)> hold_;  // of the reference engine; else empty
    std::vector<std::unique_ptr<CacheModule>> caches_;
    std::vector<std::unique_ptr<ProcessorModule>> processors_;
};

}  // namespace symsim
