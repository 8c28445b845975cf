// SPDX-License-Identifier: MIT
// Construction of the machine, the start of the guest, the run, and the watch for deadlocks.
#include "sim/machine/systemc/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/image/arguments.h"
#include "sim/image/loaded_code.h"
#include "sim/machine/build.h"
#include "sim/machine/systemc/fast_driver.h"
#include "sim/machine/systemc/kernel_time.h"
#include "sim/machine/systemc/main_stack.h"
#include "sim/machine/systemc/reference_engine.h"

namespace symsim {

namespace {

// How often watch() looks for a deadlock and for an interrupt by the user. A simulated millisecond
// is long for the bus, and only some milliseconds of the user's time.
constexpr Time kWatchInterval = kMillisecond;

}  // namespace

Machine::Machine(const sc_core::sc_module_name& name, const Config& config, const Image& image,
                 Observer& observer, Outlets outlets, std::optional<TakeOver> take_over)
    : sc_module(name),
      observer_(observer),
      rom_(image.real_mode),
      outlets_(std::move(outlets)),
      regions_(image.code),
      probes_(probe_points(image)),
      loaded_code_(image, config.guest.code_anywhere || image.real_mode),
      memory_("memory", std::uint64_t{config.memory.size_mb} << 20),
      decode_cache_(
          memory_.model,
          [this](Address a) {
              return CodeAttributes{regions_.activity_at(a), probes_.at(a),
                                    loaded_code_.contains(a)};
          },
          config.processor.isa, config.cache.geometry.line_bytes),
      devices_("devices"),
      console_("console", outlets_.console),
      interconnect_("interconnect",
                    make_interconnect(config, memory_.model, decode_cache_, devices_, observer)),
      slic_("slic", config.slic, config.machine.processors, config.bus.period()),
      take_over_(std::move(take_over)) {
    if (config.run.limit_ms > 0) outcome_.set_limit(config.run.limit());
    add_devices(config);
    slic_.model.observe(observer);
    image.copy_to(memory_.model);
    const std::string arguments =
        argument_text(config.machine.processors, config.run.seed, guest_arguments(config));
    write_arguments(image, arguments, memory_.model);
    close_pages(image, config.machine.processors, memory_.model);
    build_engine(config, image, observer);
    start(image);
    SC_METHOD(watch);
}

Machine::~Machine() = default;

// A device of the machine is a line here. How to write one: docs/how-to/devices.md.
void Machine::add_devices(const Config& config) {
    attach(kConsoleBase, kDeviceSize, console_.socket);
    add<TextPort>("results", kResultsBase, kDeviceSize, outlets_.results);
    add<Power>("power", kPowerBase, kDeviceSize, [this](Time at, std::uint32_t status) {
        outcome_.power_off(at, status);
        sc_core::sc_stop();
    });
    add<PostPort>("post", kPortSpace + config.guest.post_port, 1,
                  [this](Time at, std::uint8_t code) {
                      if (outlets_.post) outlets_.post(at, code);
                  });
    add<TextPort>("output", kPortSpace + config.guest.output_port, 1, outlets_.console);
}

void Machine::build_engine(const Config& config, const Image& image, Observer& observer) {
    const bool starts_fast = config.run.engine == EngineKind::fast;
    if (starts_fast) fast_ = std::make_unique<FastDriver>("fast_engine", outcome_);
    if (!starts_fast || take_over_)
        reference_ = std::make_unique<ReferenceEngine>("reference_engine", outcome_);
    Waiter* waiter = &waiter_;
    if (!fast_)
        waiter = reference_.get();
    else if (!reference_)
        waiter = &fast_->engine();
    else
        waiter_.set(fast_->engine());
    if (config.sync_bus.present)
        sync_bus_ =
            std::make_unique<SyncBusModule>("sync_bus", config.sync_bus, config.machine.processors);
    if (config.monitor.present)
        monitor_ = std::make_unique<MonitorModule>("monitor", config.monitor,
                                                   config.machine.processors, *interconnect_.model);
    Parts parts;
    parts.interconnect = interconnect_.model.get();
    parts.slic = &slic_.model;
    ControllerConfig controller = controller_config(config);
    controller.rom = image.alias;
    for (ProcessorId id = 0; id < config.machine.processors; ++id) {
        caches_.push_back(std::make_unique<CacheModule>(fmt::format("cache_{}", id).c_str(), id,
                                                        controller, *config.cache.protocol,
                                                        *interconnect_.model, observer, *waiter));
        parts.caches.push_back(&caches_.back()->model);
        processors_.push_back(std::make_unique<ProcessorModule>(
            fmt::format("processor_{}", id).c_str(), id, config.processor, caches_.back()->model,
            decode_cache_, slic_.model));
        caches_.back()->model.set_board_device(&slic_.model);
        if (sync_bus_) caches_.back()->model.add_timed_device(&sync_bus_->model);
        if (monitor_) caches_.back()->model.add_timed_device(&monitor_->model);
        parts.processors.push_back(&processors_.back()->model);
        if (has_processes(image)) processors_.back()->model.set_process_table(processes_);
    }
    std::vector<Schedule> of_processors = schedules(config);
    for (ProcessorId id = 0; id < config.machine.processors; ++id)
        parts.processors[id]->set_schedule(std::move(of_processors[id]));
    if (fast_) {
        fast_->engine().build(parts, observer);
        engine_ = fast_.get();
        if (reference_)
            fast_->hand_over_at(take_over_->at, [this, parts](const auto& wake_states) {
                this->take_over(parts, wake_states);
            });
    } else {
        reference_->build(parts, observer);
        engine_ = reference_.get();
        if (take_over_)
            call_back_at(take_over_->at, [this](Time) {
                take_over_->begun();
                return kNever;
            });
    }
    devices_.on_access([this] { engine_->device_accessed(); });
}

// The fast engine has ended. The reference engine continues where it was.
void Machine::take_over(const Parts& parts, const std::vector<WakeState>& wake_states) {
    for (CacheController* const cache : parts.caches) cache->set_snoop_hook(nullptr);
    waiter_.set(*reference_);
    reference_->build(parts, observer_, wake_states);
    engine_ = reference_.get();
    request_calls();
    take_over_->begun();
}

void Machine::request_calls() {
    if (!calls_.empty()) engine_->call_back_at(call(-1), [this](Time now) { return call(now); });
}

// An ELF image starts on all processors. A ROM starts on the first; the others are halted. On a
// Symmetry the first processor would start the others through the SLIC; a ROM for one processor
// never does.
void Machine::start(const Image& image) {
    for (const auto& processor : processors_) {
        Context& context = processor->model.context();
        context.eip = image.entry;
        if (!image.real_mode) continue;
        context.eip = image.real_mode->eip;
        context.halted = processor != processors_.front();
        System& system = processor->model.system();
        system = System::reset();
        system.segments[cs].base = image.real_mode->base;
        system.segments[cs].selector = image.real_mode->selector;
        processor->model.system_changed();
    }
}

// Whether all processors are halted with interrupts disabled, so that no interrupt can wake them.
bool Machine::all_halted() const {
    return std::all_of(processors_.begin(), processors_.end(), [](const auto& processor) {
        const bool deaf = !(processor->model.context().flags.system & Flags::kInterrupt);
        return processor->model.halted() && deaf;
    });
}

// Called every kWatchInterval. If interconnect and SLICs have nothing to do, and nothing has been
// granted for that long, then either a processor computes in its cache or the guest is deadlocked.
// The engine finds out which.
void Machine::watch() {
    const Time now = kernel_now();
    // At the very end of the run watch() is called under one of the two engines only, so it reports
    // nothing then.
    if (observer_.wants_progress() && now < outcome_.bound()) {
        engine_->synchronise(now);
        observer_.reached(now);
    }
    if (outlets_.interrupted(now)) outcome_.interrupt(now);
    if (now >= outcome_.bound()) {
        sc_core::sc_stop();
        return;
    }
    const Interconnect& interconnect = *interconnect_.model;
    const bool quiet = interconnect.next_event() == kNever && slic_.model.next_event() == kNever &&
                       interconnect.last_grant() + kWatchInterval <= now;
    if (quiet && engine_->deadlocked(now)) {
        // A ROM cannot switch off the power: its normal end is a halt of all processors.
        if (rom_ && all_halted())
            outcome_.halt(now);
        else
            outcome_.deadlock(now, deadlock_report(now));
        sc_core::sc_stop();
        return;
    }
    next_trigger(kernel_time(std::min(kWatchInterval, outcome_.bound() - now)));
}

GuestFailure Machine::deadlock_report(Time now) const {
    std::size_t halted = 0;
    for (const auto& processor : processors_)
        if (processor->model.halted()) ++halted;
    GuestFailure how;
    how.time = now;
    how.eip = processors_.front()->model.context().eip;
    how.what = halted == processors_.size()
                   ? fmt::format("all {} processors are halted, and nothing can wake them", halted)
                   : fmt::format(
                         "deadlock: {} of {} processors are halted, the others spin in "
                         "loops that nobody is left to end",
                         halted, processors_.size());
    how.fix =
        "the table of processors shows where each stands: look for a lock that is never "
        "released, or a flag nobody sets; a guest ends by calling exit()";
    return how;
}

const RunOutcome& Machine::run() {
    // Every run ends with sc_stop(). Several processes may call it at the same time.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_SIMULATION_STOP_CALLED_TWICE_,
                                            sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    request_calls();
    sc_core::sc_start();
    back_on_main_stack();
    engine_->synchronise(outcome_.bound());
    interconnect_.model->close(outcome_.time());
    return outcome_;
}

// Makes the callbacks that are due at `now`. Returns when the next one is due.
Time Machine::call(Time now) {
    Time next = kNever;
    for (Call& call : calls_) {
        if (call.at <= now) call.at = call.callback(now);
        next = std::min(next, call.at);
    }
    return next;
}

DebugTarget Machine::debug_target() {
    DebugTarget target;
    for (const auto& processor : processors_) target.processors.push_back(&processor->model);
    for (const auto& cache : caches_) target.caches.push_back(&cache->model);
    target.memory = &memory_.model;
    target.code = &decode_cache_;
    target.now = kernel_now;
    target.hold = [this](const ProcessorSet& held) { reference_->hold(held); };
    return target;
}

std::vector<EntryOutcome> Machine::outcomes(const std::vector<ScheduleText>& entries) const {
    std::vector<EntryOutcome> all;
    all.reserve(entries.size());
    std::vector<std::size_t> next(processors_.size(), 0);
    for (const ScheduleText& text : entries)
        all.push_back(processor(text.processor).schedule().outcomes()[next[text.processor]++]);
    return all;
}

std::uint64_t Machine::instructions() const {
    std::uint64_t sum = 0;
    for (const auto& processor : processors_) sum += processor->model.context().instructions;
    return sum;
}

}  // namespace symsim
