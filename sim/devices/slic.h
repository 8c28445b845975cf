// SPDX-License-Identifier: MIT
// SLIC: the Symmetry's interrupt controllers, one on each processor's board, and the serial bus of
// their own on which they send each other messages (hardware.md 1.4). Each also has the
// processor's timer. What is published of them is followed: eight bins, of which bin 0 holds
// software bits and bin 7 the clock; masks that take effect late; groups, of which the processor
// of lowest priority takes a message. The layout of the registers is this machine's own.
//
// Registers are on the processor's own board: no bus, the cost of a cache hit. What happens later
// (a message arrives, a timer runs out, a mask takes effect) is an edge, which the engine calls
// before anything else at its time. All of it happens strictly later than what caused it, so that
// nothing depends on the order of processors within one tick.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/board.h"
#include "sim/events/observer.h"
#include "sim/processor/interrupt_source.h"

namespace symsim {

struct Config;

// Made by slic_config() from the keys of the config, and in no other way: a default here would be a
// second one beside the key's.
struct SlicConfig {
    std::uint32_t processors;
    Time bus_period;    // the SLIC bus is clocked with the system bus
    Time message_time;  // 3 to 5 us (hardware.md 1.4, estimate)
    Time mask_time;     // 500 ns (Sequent's mutex.s)

  private:
    SlicConfig() {}
    friend SlicConfig slic_config(const Config&);
};

namespace slic {
// Offsets in the processor's board registers.
constexpr Address kBase = 0xC800'0100;
enum Register : std::uint32_t {
    kCommand = 0x00,      // write: a Command; read: Status bits
    kDestination = 0x04,  // a processor, kGroup + g, or kAll
    kBin = 0x08,
    kMessage = 0x0c,   // write: the byte to send; read: of the interrupt last acknowledged
    kMask = 0x10,      // bit n: bin n may interrupt
    kGroups = 0x14,    // bit g: this processor belongs to group g
    kPriority = 0x18,  // 0 to 31
    kPending = 0x1c,   // bit n: bin n has something
    kSoftware = 0x20,  // the bits of bin 0; reading clears them
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
constexpr unsigned kBins = 8;
constexpr unsigned kClockBin = 7;
constexpr std::size_t kBinDepth = 256;
}  // namespace slic

// The processors' interrupt pins.
class InterruptPins {
  public:
    virtual ~InterruptPins() = default;
    virtual void interrupt_line(ProcessorId processor, bool asserted, Time at) = 0;
    virtual void nmi(ProcessorId processor, Time at) = 0;
};

class Slic final : public InterruptSource, public BoardDevice {
  public:
    explicit Slic(const SlicConfig& config);
    // Before anything runs.
    void connect(InterruptPins& pins) { pins_ = &pins; }
    // Who is told of messages and interrupts, if anybody.
    void observe(Observer& observer) { observer_ = &observer; }

    // The next edge at which there is something to do, or kNever; and doing it.
    Time next_edge() const { return events_.empty() ? kNever : events_.top().at; }
    void edge(Time at);
    // Told when next_edge() has come nearer.
    void on_edge_scheduled(std::function<void()> told) { edge_scheduled_ = std::move(told); }

    std::uint8_t acknowledge(ProcessorId processor, Time at) override;
    void nmi_taken(ProcessorId processor, Time at) override;

    bool answers(Address address) const override { return address - slic::kBase < slic::kSize; }
    std::uint32_t read(ProcessorId processor, Address address, unsigned size, Time at) override;
    void write(ProcessorId processor, Address address, std::uint32_t value, Time at) override;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(units_, events_, order_, bus_free_at_, messages_);
    }

  private:
    struct Held {
        std::uint8_t message;
        std::uint32_t number;  // of the InterruptMessage that brought it

        template <class Archive>
        void serialize(Archive& archive) {
            archive(message, number);
        }
    };
    struct Unit {
        std::uint32_t destination = 0;
        std::uint32_t bin = 0;
        std::uint32_t message = 0;
        std::uint32_t command = 0;  // under way, or 0
        Time sent = 0;
        bool rejected = false;
        std::uint32_t mask = 0;       // as written
        std::uint32_t effective = 0;  // as it is by now
        std::uint32_t groups = 0;
        std::uint32_t priority = 0;
        std::uint32_t vector_base = 0x40;
        std::uint32_t received = 0;
        std::uint32_t software = 0;       // acknowledged and not yet read
        std::uint32_t software_new = 0;   // bin 0
        std::uint32_t software_from = 0;  // number of the last message to bin 0
        std::uint32_t nmi_from = 0;       // and of the last NMI
        std::array<std::deque<Held>, slic::kBins> bins;
        bool clock = false;  // bin 7
        std::uint32_t reload = 99;
        std::uint32_t control = 0;
        Time timer_start = 0;         // of the present period
        std::uint64_t timer_set = 0;  // counts the writes, so that edges of older ones are void
        bool line = false;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(destination, bin, message, command, sent, rejected, mask, effective, groups,
                    priority, vector_base, received, software, software_new, software_from,
                    nmi_from, bins, clock, reload, control, timer_start, timer_set, line);
        }
    };
    struct Event {
        enum class Kind : std::uint8_t { mask, timer, arbitrate, arrive };
        Time at;
        std::uint64_t order;
        Kind kind;
        ProcessorId processor;
        std::uint64_t data;
        bool operator>(const Event& b) const { return at != b.at ? at > b.at : order > b.order; }
        template <class Archive>
        void serialize(Archive& archive) {
            archive(at, order, kind, processor, data);
        }
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

    SlicConfig config_;
    Clock clock_;
    InterruptPins* pins_ = nullptr;
    Observer* observer_ = nullptr;
    std::function<void()> edge_scheduled_;
    std::vector<Unit> units_;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
    std::uint64_t order_ = 0;
    Time bus_free_at_ = 0;
    std::uint32_t messages_ = 0;  // that have arrived, the one that arrives now included
};

}  // namespace symsim
