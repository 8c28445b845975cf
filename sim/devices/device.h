// SPDX-License-Identifier: MIT
// A device of the machine: registers at physical addresses, with keys, state, a report, interrupts,
// and events at later times. devices.h lists them all; docs/how-to/devices.md says how to add one.
//
// A model knows no SystemC. It is called only at commit time, in order of time, and gets the time
// of each call. So its state is never rolled back, and it is the same under both engines.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/interrupt_source.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/device_space.h"

namespace symsim {

class Device;
class Interconnect;
class Observer;
struct DeviceReport;

// How an access comes to the device, and when.
enum class DeviceReach : std::uint8_t {
    board,         // on the processor's board: at once; it costs as much as a cache hit
    after_stores,  // beside the bus: when the processor's earlier stores are complete
    bus,           // over the interconnect, as a TLM-2.0 target
};

struct DeviceRange {
    Address base = 0;
    Address size = 0;
    DeviceReach reach = DeviceReach::bus;
    bool contains(Address address) const { return address - base < size; }
};

struct DeviceAccess {
    ProcessorId processor;  // which accesses; over the bus a device is not told, and it is 0
    Address address;        // in the device's range
    unsigned size;          // 1 to 4 bytes, all in one dword
    Time at;
};
inline bool is_dword(const DeviceAccess& access) {
    return access.size == 4 && access.address % 4 == 0;
}

// An effect at a later time. `kind` and `data` are the device's own.
struct DeviceEvent {
    Time at;
    std::uint64_t order;  // in which it was scheduled
    Device* device;
    unsigned kind;
    ProcessorId processor;
    std::uint64_t data;
    bool operator>(const DeviceEvent& b) const { return at != b.at ? at > b.at : order > b.order; }
};

// The processors' interrupt pins: devices drive them, an engine implements them.
class InterruptPins {
  public:
    virtual ~InterruptPins() = default;
    virtual void interrupt_line(ProcessorId processor, bool asserted, Time at) = 0;
    virtual void nmi(ProcessorId processor, Time at) = 0;
};

// What devices, processors and the engine signal each other. At one time events come before the
// interconnect and the processors act. An effect is always strictly later than its cause, so
// nothing depends on the order of processors within one tick.
class DeviceSignals {
  public:
    // --- for devices
    // Calls happen() of the device at `at`. Events at one time come in the order of these calls.
    void schedule(Time at, Device& device, unsigned kind, ProcessorId processor = 0,
                  std::uint64_t data = 0) {
        const bool sooner = at < next_event();
        events_.push({at, order_++, &device, kind, processor, data});
        if (sooner && event_scheduled_) event_scheduled_();
    }
    InterruptPins& pins() { return *pins_; }
    // Processors acknowledge interrupts to this device.
    void set_controller(InterruptSource& controller) { controller_ = &controller; }

    // --- for processors
    InterruptSource& controller() { return *controller_; }

    // --- for the engine
    void connect(InterruptPins& pins) { pins_ = &pins; }
    // The time of the next event, or kNever.
    Time next_event() const { return events_.empty() ? kNever : events_.top().at; }
    // Makes all events up to `at` happen.
    void advance(Time at);
    // `callback` is called when next_event() becomes earlier.
    void on_event_scheduled(std::function<void()> callback) {
        event_scheduled_ = std::move(callback);
    }

  private:
    std::priority_queue<DeviceEvent, std::vector<DeviceEvent>, std::greater<DeviceEvent>> events_;
    std::uint64_t order_ = 0;
    InterruptPins* pins_ = nullptr;
    InterruptSource* controller_ = nullptr;
    std::function<void()> event_scheduled_;
};

// Where the machine's output goes while it runs, and where its input comes from.
struct Outlets {
    std::function<void(char)> console;
    std::function<void(char)> results;
    // A byte written to guest.post_port.
    std::function<void(Time, std::uint8_t)> post = [](Time, std::uint8_t) {};
    // All that the guest reads from the console; called once, when it first asks for it.
    std::function<std::vector<std::uint8_t>()> input = nullptr;
    // The name of an address of the guest's code.
    std::function<std::string(Address)> name_of = [](Address) { return std::string(); };
};

// What a device is connected to.
struct DeviceHost {
    std::uint32_t processors = 1;
    Time bus_period = 0;
    DeviceSignals* signals = nullptr;
    Interconnect* interconnect = nullptr;
    Observer* observer = nullptr;  // null: nothing is reported to it
    Outlets outlets = {};
    std::function<void(Time, std::uint32_t status)> power_off = {};
    std::uint32_t post_port = 0, output_port = 0;
};

// What a kind of device says of itself.
struct DeviceText {
    const char* name = "";     // of its table of keys, and of its report
    DeviceRange place = {};    // where it is on machines that have it,
    const char* hint = "";     // and what to say of an access there that no device takes
    const char* meaning = "";  // of its report (results.h) in summary.json
    const char* line = "";     // of its report on the terminal, with names of results in braces
};

// Keys of a device that every machine has, or a report without results.
struct Nothing {
    static constexpr bool present = true;
};
template <class Visit>
void for_each_field(const Nothing&, Visit&&) {}

class Device {
  public:
    using Keys = Nothing;  // `present`: whether the machine has the device
    using Report = Nothing;
    static constexpr DeviceText kText = {};

    virtual ~Device() = default;
    // Each tells whether the device takes the access; one that it does not take has no effect. The
    // processor waits for the delay: on the board there is none, and a write over the bus has none.
    virtual DeviceReply read(const DeviceAccess& access) = 0;
    virtual DeviceReply write(const DeviceAccess& access, std::uint32_t value) = 0;
    virtual void happen(const DeviceEvent&) {}
    virtual DeviceReport report() const;

    const DeviceRange& range() const { return range_; }

  protected:
    explicit Device(const DeviceRange& range) : range_(range) {}

  private:
    DeviceRange range_;
};

// What to say of an access at the address that no device takes; empty: nothing in particular.
const char* device_hint(Address address);

inline void DeviceSignals::advance(Time at) {
    while (!events_.empty() && events_.top().at <= at) {
        const DeviceEvent event = events_.top();
        events_.pop();
        event.device->happen(event);
    }
}

}  // namespace symsim
