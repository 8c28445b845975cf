// SPDX-License-Identifier: MIT
// The SLICs: the Symmetry's interrupt controllers, one for each processor, and their own serial
// bus, on which they send each other messages. Each SLIC also has its processor's timer.
//
// The model has the published properties of the SLIC (Sequent's slic.h, intctl.h and clock.c in the
// Mach 3.0 kernel, directory sqt; Beck, Kasten & Thakkar, ASPLOS 1987). There are eight bins: bin 0
// has software bits, bin 7 the clock. Masks take effect late. A message to a group goes to the
// group's processor with the lowest priority. The layout of the registers is symsim's own.
//
// A register access uses no bus and costs as much as a cache hit. Later effects are edges: a
// message arrives, a timer runs out, a mask takes effect. The engine calls advance() before the bus
// and the processors act at the same time. An effect is always strictly later than its cause, so
// nothing depends on the order of processors within one tick.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "sim/base/interrupt_source.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/board.h"
#include "sim/devices/slic_config.h"

namespace symsim {

namespace slic {
// Physical address of the registers; the enumerators are offsets from it.
constexpr Address kBase = 0xC800'0100;
enum Register : std::uint32_t {
    kCommand = 0x00,      // write: a Command; read: Status bits
    kDestination = 0x04,  // a processor below 64, kGroup + g, kAll, or kProcessor + any processor
    kBin = 0x08,
    kMessage = 0x0c,   // write: byte to send; read: byte of the interrupt last acknowledged
    kMask = 0x10,      // bit n: bin n may interrupt
    kGroups = 0x14,    // bit g: this processor belongs to group g
    kPriority = 0x18,  // 0 to 31
    kPending = 0x1c,   // bit n: bin n has an interrupt pending
    kSoftware = 0x20,  // the acknowledged bits of bin 0; reading clears them
    kTimerReload = 0x24,
    kTimerControl = 0x28,  // bit 0: running; bit 1: counts at 5 MHz instead of every 100 us
    kTimerCount = 0x2c,
    kVectorBase = 0x30,
    kSize = 0x34,
};
enum Command : std::uint32_t { kSendInterrupt = 1, kSendNmi = 2 };
enum Status : std::uint32_t { kBusy = 1, kRejected = 2 };  // rejected: a bin was full
constexpr std::uint32_t kGroup = 0x40;
constexpr std::uint32_t kAll = 0xff;
constexpr std::uint32_t kProcessor = 0x100;
constexpr std::uint32_t kDestinationBits = 0x1ff;
constexpr unsigned kBins = 8;
constexpr unsigned kClockBin = 7;
constexpr std::size_t kBinDepth = 256;
}  // namespace slic

// The processors' interrupt pins: the SLIC drives them, an engine implements them.
class InterruptPins {
  public:
    virtual ~InterruptPins() = default;
    virtual void interrupt_line(ProcessorId processor, bool asserted, Time at) = 0;
    virtual void nmi(ProcessorId processor, Time at) = 0;
};

// All SLICs of the machine and their bus. connect() comes before everything else. Then processors
// call read(), write(), acknowledge() and nmi_taken(), and the engine calls advance() at each
// next_event().
class Slic final : public InterruptSource, public BoardDevice {
  public:
    // `bus_period`: the SLICs' bus has the clock of the System Bus.
    Slic(const SlicConfig& config, std::uint32_t processors, Time bus_period);
    void connect(InterruptPins& pins) { pins_ = &pins; }
    // Messages and interrupts are reported to this observer. Without it they are not reported.
    void observe(Observer& observer) { observer_ = &observer; }

    // The time of the next event, or kNever.
    Time next_event() const { return events_.empty() ? kNever : events_.top().at; }
    // Handles all events up to `at`.
    void advance(Time at);
    // `callback` is called when next_event() becomes earlier.
    void on_event_scheduled(std::function<void()> callback) {
        event_scheduled_ = std::move(callback);
    }

    std::uint8_t acknowledge(ProcessorId processor, Time at) override;
    void nmi_taken(ProcessorId processor, Time at) override;
    void run_out_timer(ProcessorId processor, Time at) override;

    bool answers(Address address, unsigned size, bool write) const override {
        return address - slic::kBase < slic::kSize && (!write || (size == 4 && address % 4 == 0));
    }
    std::uint32_t read(ProcessorId processor, Address address, unsigned size, Time at) override;
    void write(ProcessorId processor, Address address, std::uint32_t value, Time at) override;

  private:
    // A message in a bin, waiting to be acknowledged.
    struct QueuedMessage {
        std::uint8_t message;
        std::uint32_t number;  // of the InterruptMessage that brought it
    };
    // The SLIC of one processor.
    struct Unit {
        std::uint32_t destination = 0;
        std::uint32_t bin = 0;
        std::uint32_t message = 0;
        std::uint32_t command = 0;  // the command in progress, or 0
        Time sent = 0;
        bool rejected = false;
        std::uint32_t mask = 0;       // as last written
        std::uint32_t effective = 0;  // the mask that is in effect
        std::uint32_t groups = 0;
        std::uint32_t priority = 0;
        std::uint32_t vector_base = 0x40;
        std::uint32_t received = 0;       // byte of the interrupt last acknowledged
        std::uint32_t software = 0;       // bits of bin 0, acknowledged and not yet read
        std::uint32_t software_new = 0;   // bits of bin 0, not yet acknowledged
        std::uint32_t software_from = 0;  // number of the last message to bin 0
        std::uint32_t nmi_from = 0;       // number of the last NMI message
        std::array<std::deque<QueuedMessage>, slic::kBins> bins;
        bool clock = false;  // the timer's interrupt is pending in bin 7
        std::uint32_t reload = 99;
        std::uint32_t control = 0;
        Time timer_start = 0;         // of the current period
        std::uint64_t timer_set = 0;  // counts starts; timer events of earlier starts are void
        bool line = false;            // the interrupt line is asserted
    };
    // A later effect. Events at the same time are handled in the order they were scheduled.
    struct Event {
        enum class Kind : std::uint8_t { mask, timer, arbitrate, arrive };
        Time at;
        std::uint64_t order;
        Kind kind;
        ProcessorId processor;
        std::uint64_t data;  // mask: the new mask; timer: Unit::timer_set of its start
        bool operator>(const Event& b) const { return at != b.at ? at > b.at : order > b.order; }
    };

    void schedule(Time at, Event::Kind kind, ProcessorId processor, std::uint64_t data);
    void handle(const Event& event);
    void command(ProcessorId processor, std::uint32_t value, Time at);
    void arbitrate(Time at);
    void arrive(ProcessorId sender, Time at);
    bool deliver(ProcessorId to, const Unit& sender, Time at);
    void report_taken(ProcessorId processor, Time at, std::uint8_t vector, std::uint32_t message);
    void start_timer(ProcessorId processor, Time at);
    Time timer_unit(const Unit& unit) const;
    std::uint32_t pending(const Unit& unit) const;
    void update_line(ProcessorId processor, Time at);

    Time message_time_, mask_time_;
    Clock clock_;
    InterruptPins* pins_ = nullptr;
    Observer* observer_ = nullptr;
    std::function<void()> event_scheduled_;
    std::vector<Unit> units_;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
    std::uint64_t order_ = 0;
    Time bus_free_at_ = 0;        // the SLIC bus
    std::uint32_t messages_ = 0;  // number of messages arrived, including the one being delivered
};

}  // namespace symsim
