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
#include "sim/machine/systemc/reference_engine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace symsim {

namespace {

// How often watch() looks for a deadlock and for an interrupt by the user. A simulated millisecond
// is long for the bus, and only some milliseconds of the user's time.
constexpr Time kWatchInterval = kMillisecond;

// A correction for builds with AddressSanitizer, after sc_start() has returned. SystemC reports
// every switch between its processes' stacks to AddressSanitizer, but reports wrong bounds on the
// way back to the program's own stack. Without this correction the first exception thrown
// afterwards is reported as a stack overflow.
void back_on_main_stack() {
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* bottom = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    __sanitizer_start_switch_fiber(nullptr, bottom, size);
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace

Machine::Machine(const sc_core::sc_module_name& name, const Config& config, const Image& image,
                 Observer& observer, const Outlets& outlets, std::function<bool(Time)> interrupted,
                 std::optional<TakeOver> take_over)
    : sc_module(name),
      observer_(observer),
      rom_(image.real_mode),
      interrupted_(std::move(interrupted)),
      regions_(image.code),
      probes_(probe_points(image)),
      loaded_code_(image,
                   config.guest.code_anywhere || image.real_mode || image.linux_program != 0),
      memory_(std::uint64_t{config.memory.size_mb} << 20),
      decode_cache_(
          memory_,
          [this](Address a) {
              return CodeAttributes{regions_.activity_at(a), probes_.at(a),
                                    loaded_code_.contains(a)};
          },
          config.processor.isa, config.cache.geometry.line_bytes),
      device_bus_("devices"),
      interconnect_(make_interconnect(config, memory_, decode_cache_, device_bus_, observer)),
      take_over_(std::move(take_over)) {
    if (config.run.limit_ms > 0) outcome_.set_limit(config.run.limit());
    add_devices(config, outlets);
    image.copy_to(memory_);
    const std::string arguments =
        argument_text(config.machine.processors, config.run.seed, guest_arguments(config)) +
        word_lines(image, config.guest.argv, config.guest.env);
    write_arguments(image, arguments, memory_);
    close_pages(image, config.machine.processors, memory_);
    build_engine(config, image, observer);
    start(image);
    SC_METHOD(watch);
}

Machine::~Machine() = default;

void Machine::add_devices(const Config& config, const Outlets& outlets) {
    const auto power_off = [this](Time at, std::uint32_t status) {
        outcome_.power_off(at, status);
        sc_core::sc_stop();
    };
    devices_ =
        make_devices(config.devices, {config.machine.processors, config.bus.period(), &signals_,
                                      interconnect_.get(), &observer_, outlets, power_off,
                                      config.guest.post_port, config.guest.output_port});
    for (const auto& device : devices_)
        if (device->range().reach == DeviceReach::bus) device_bus_.attach(*device);
}

void Machine::build_engine(const Config& config, const Image& image, Observer& observer) {
    const bool starts_fast = config.run.engine == EngineKind::fast;
    if (starts_fast) fast_ = std::make_unique<FastDriver>("fast_engine", outcome_);
    if (!starts_fast || take_over_)
        reference_ = std::make_unique<ReferenceEngine>("reference_engine", outcome_);
    parts_.interconnect = interconnect_.get();
    parts_.signals = &signals_;
    ControllerConfig controller = controller_config(config);
    controller.rom = image.alias;
    for (ProcessorId id = 0; id < config.machine.processors; ++id) {
        caches_.push_back(std::make_unique<CacheController>(id, controller, *config.cache.protocol,
                                                            *interconnect_));
        for (const auto& device : devices_)
            if (device->range().reach != DeviceReach::bus) caches_[id]->add_device(device.get());
        parts_.caches.push_back(caches_[id].get());
        processors_.push_back(std::make_unique<Processor>(id, config.processor, *caches_[id],
                                                          decode_cache_, signals_.controller()));
        parts_.processors.push_back(processors_[id].get());
        if (reports(image, is_process)) processors_[id]->set_process_table(processes_);
    }
    std::vector<Schedule> of_processors = schedules(config);
    for (ProcessorId id = 0; id < config.machine.processors; ++id)
        processors_[id]->set_schedule(std::move(of_processors[id]));
    if (fast_) {
        fast_->engine().build(parts_, observer);
        engine_ = fast_.get();
        if (reference_)
            fast_->hand_over_at(take_over_->at,
                                [this](const auto& wake_states) { take_over(wake_states); });
    } else {
        reference_->build(parts_, observer);
        engine_ = reference_.get();
        if (take_over_)
            engine_->call_back_at(take_over_->at, [this](Time) {
                take_over_->begun();
                return kNever;
            });
    }
    device_bus_.on_access([this] { engine_->device_accessed(); });
}

// The fast engine has ended. The reference engine continues where it was.
void Machine::take_over(const std::vector<WakeState>& wake_states) {
    reference_->build(parts_, observer_, wake_states);
    engine_ = reference_.get();
    request_call();
    take_over_->begun();
}

void Machine::request_call() {
    if (call_at_ == kNever) return;
    engine_->call_back_at(call_at_, [this](Time now) { return call_at_ = callback_(now); });
}

// An ELF image starts on all processors. A ROM starts on the first; the others are halted. On a
// Symmetry the first processor would start the others through the SLIC; a ROM for one processor
// never does.
void Machine::start(const Image& image) {
    for (const auto& processor : processors_) {
        Context& context = processor->context();
        context.eip = image.entry;
        if (!image.real_mode) continue;
        context.eip = image.real_mode->eip;
        context.halted = processor != processors_.front();
        System& system = processor->system();
        system = System::reset();
        system.segments[cs].base = image.real_mode->base;
        system.segments[cs].selector = image.real_mode->selector;
        processor->system_changed();
    }
}

// Whether all processors are halted with interrupts disabled, so that no interrupt can wake them.
bool Machine::all_halted() const {
    return std::all_of(processors_.begin(), processors_.end(), [](const auto& processor) {
        const bool deaf = !(processor->context().flags.system & Flags::kInterrupt);
        return processor->halted() && deaf;
    });
}

// Called every kWatchInterval. If interconnect and devices have nothing to do, and nothing has been
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
    if (interrupted_(now)) outcome_.interrupt(now);
    if (now >= outcome_.bound()) {
        sc_core::sc_stop();
        return;
    }
    const Interconnect& interconnect = *interconnect_;
    const bool quiet = interconnect.next_event() == kNever && signals_.next_event() == kNever &&
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
        if (processor->halted()) ++halted;
    GuestFailure how;
    how.time = now;
    how.eip = processors_.front()->context().eip;
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
    request_call();
    sc_core::sc_start();
    back_on_main_stack();
    engine_->synchronise(outcome_.bound());
    interconnect_->close(outcome_.time());
    return outcome_;
}

DebugTarget Machine::debug_target() {
    DebugTarget target;
    target.processors = parts_.processors;
    target.caches = parts_.caches;
    target.memory = &memory_;
    target.code = &decode_cache_;
    target.now = kernel_now;
    target.hold = [this](const ProcessorSet& held) { reference_->hold(held); };
    return target;
}

std::vector<DeviceReport> Machine::device_reports() const {
    std::vector<DeviceReport> reports;
    for (const auto& device : devices_)
        if (DeviceReport report = device->report(); !report.results.empty())
            reports.push_back(std::move(report));
    return reports;
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
    for (const auto& processor : processors_) sum += processor->context().instructions;
    return sum;
}

}  // namespace symsim
