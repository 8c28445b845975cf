// SPDX-License-Identifier: MIT
// The SLICs: the Symmetry's interrupt controllers, one for each processor, and their own serial
// bus, on which they send each other messages. Each SLIC also has its processor's timer.
//
// The model has the published properties of the SLIC (Sequent's slic.h, intctl.h and clock.c in the
// Mach 3.0 kernel, directory sqt; Beck, Kasten & Thakkar, ASPLOS 1987). There are eight bins: bin 0
// has software bits, bin 7 the clock. Masks take effect late. A message to a group goes to the
// group's processor with the lowest priority. The layout of the registers is symsim's own.
//
// A register access uses no bus and costs as much as a cache hit. Later effects are events: a
// message arrives, a timer runs out, a mask takes effect.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/interrupt_source.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/device.h"

namespace symsim {

struct SlicConfig {
    static constexpr bool present = true;
    std::uint32_t message_ns = 4000;  // estimate: 3 to 5 us
    std::uint32_t mask_ns = 500;      // Sequent's mutex.s, Mach 3.0, directory sqt
};

template <class Visit>
void for_each_field(SlicConfig& slic, Visit&& visit) {
    visit("message_ns", "ns", slic.message_ns, fits::Integers{1, 1000000},
          "Time for which a message occupies the bus of the interrupt controllers.");
    visit("mask_ns", "ns", slic.mask_ns, fits::Integers{1, 1000000},
          "Time from a write of the interrupt mask until the mask takes effect.");
}

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

// All SLICs of the machine and their bus.
class Slic final : public Device, public InterruptSource {
  public:
    using Keys = SlicConfig;
    static constexpr DeviceText kText = {"slic"};

    Slic(const SlicConfig& config, const DeviceHost& host);

    DeviceReply read(const DeviceAccess& access) override;
    DeviceReply write(const DeviceAccess& access, std::uint32_t value) override;
    void happen(const DeviceEvent& event) override;

    std::uint8_t acknowledge(ProcessorId processor, Time at) override;
    void nmi_taken(ProcessorId processor, Time at) override;
    void run_out_timer(ProcessorId processor, Time at) override;

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
    // A register that keeps what is written to it.
    struct Kept {
        std::uint32_t Unit::*read = nullptr;
        std::uint32_t Unit::*written = nullptr;  // null: a write has no effect
        std::uint32_t bits = 0;                  // that it has
        bool of_message = false;                 // unchanged while a command is in progress
    };
    static const Kept kKept[];
    // `data` of an event: mask: the new mask; timer: Unit::timer_set of its start.
    enum Event : unsigned { kMaskEvent, kTimerEvent, kArbitrateEvent, kArriveEvent };

    void schedule(Time at, Event kind, ProcessorId processor, std::uint64_t data = 0) {
        signals_.schedule(at, *this, kind, processor, data);
    }
    void command(ProcessorId processor, std::uint32_t value, Time at);
    void arbitrate(Time at);
    void arrive(ProcessorId sender, Time at);
    bool deliver(ProcessorId to, const Unit& sender, Time at);
    void report_taken(ProcessorId processor, Time at, std::uint8_t vector, std::uint32_t message);
    std::uint32_t word(const Unit& unit, std::uint32_t offset, Time at) const;
    void start_timer(ProcessorId processor, Time at);
    Time timer_unit(const Unit& unit) const;
    std::uint32_t pending(const Unit& unit) const;
    void update_line(ProcessorId processor, Time at);

    Time message_time_, mask_time_;
    Clock clock_;  // of the System Bus, and of the SLICs' bus
    DeviceSignals& signals_;
    Observer* observer_;
    std::vector<Unit> units_;
    Time bus_free_at_ = 0;        // the SLIC bus
    std::uint32_t messages_ = 0;  // number of messages arrived, including the one being delivered
};

}  // namespace symsim
