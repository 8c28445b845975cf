// SPDX-License-Identifier: MIT
// Lines on their way: those in transit to a port, and those that wait to be written back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"

namespace symsim {

// Slots of lines: a line's slot is its number modulo 64. Lines in different slots differ, so a set
// or a count of slots answers most questions about lines without a search.
constexpr unsigned kLineSlots = 64;

class LineSlots {
  public:
    constexpr explicit LineSlots(std::uint32_t line_bytes)
        : line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))) {}
    constexpr unsigned of(Address address) const { return (address >> line_shift_) % kLineSlots; }
    // As a set of slots: bit n is slot n.
    constexpr std::uint64_t bit(Address address) const { return std::uint64_t{1} << of(address); }

  private:
    unsigned line_shift_;
};

// Lines that are unavailable to some ports, because they are in transit to a port or were unlocked
// recently. Where a line can have an owner (write-back protocol), access to a line that is in
// transit to a port is restricted:
//   - Other ports may read a line that is in transit to a reader. No port can take the line before
//     the reader has used it.
//   - A line that changes owner, or that an owner supplies, goes to no other port before it has
//     arrived.
//   - A port's store is granted only when all lines in transit to that port have arrived.
class LinesInTransit {
  public:
    explicit LinesInTransit(std::uint32_t line_bytes) : slots_(line_bytes) {}

    // When the line becomes available to the port's request of this kind: 0 if it is available at
    // `at`, kNever if the time is not known yet.
    Time unavailable_until(ProcessorId port, TransactionKind kind, Address line, Time at) const {
        return may_be_unavailable(port, line) ? find(port, kind, line, at) : 0;
    }
    // A cheap test: false if the line is certainly available. Most requested lines are.
    bool may_be_unavailable(ProcessorId port, Address line) const {
        return !lines_.empty() &&
               (destinations_.contains(port) || (used_slots_ & slots_.bit(line)));
    }
    bool none() const { return lines_.empty(); }

    // The port has been granted a transaction of this kind that brings the line to it. From now on
    // the line is in transit. Other ports may read it meanwhile, unless it changes owner or comes
    // from an owner. Then it is for no other port until it has arrived and memory has it.
    void depart(ProcessorId port, TransactionKind kind, Address line, bool from_owner, Time at);
    // The line arrives at the port at `at`. Other ports may take it from `others_from` on. If it
    // changed owner or came from one, it is unavailable at least until `keep_until`.
    void arrive(ProcessorId port, Address line, Time at, Time others_from, Time keep_until);
    // The line has been unlocked at `at`. It is unavailable until `until`.
    void unlocked(Address line, Time at, Time until);

  private:
    struct Line {
        Address line;
        Time until;               // kNever: not known before the line's reply
        ProcessorId destination;  // the port that the line is in transit to, or kNobody
        bool to_takers_only;      // other ports may read the line meanwhile, but not take it
        Time arrives;             // at `destination`; kNever: not known before the line's reply
    };

    Time find(ProcessorId port, TransactionKind kind, Address line, Time at) const;
    void add(const Line& line) {
        lines_.push_back(line);
        note(line);
    }
    // Adds the line to the sets of may_be_unavailable().
    void note(const Line& line) {
        if (line.destination != kNobody) destinations_.add(line.destination);
        used_slots_ |= slots_.bit(line.line);
    }
    void forget_available(Time at);

    LineSlots slots_;
    std::vector<Line> lines_;
    ProcessorSet destinations_;     // of lines_
    std::uint64_t used_slots_ = 0;  // slots of lines_
};

// Write-backs that wait in the ports' queues. A write-back goes to the front of its port's queue.
// While it waits, it supplies the line to any other port that reads it. Memory gets the line with
// that reply, and the write-back is dropped.
class WriteBacks {
  public:
    explicit WriteBacks(std::uint32_t line_bytes) : slots_(line_bytes) {}

    // A write-back of the line is now the first request of the port's queue.
    void posted(ProcessorId port, Address line) {
        ports_.add(port);
        ++waiting_[slots_.of(line)];
    }
    // A write-back of the line has left the port's queue. Write-backs come first in a queue, so its
    // first request shows whether another write-back waits.
    void gone(ProcessorId port, Address line, const RequestQueue& queue) {
        --waiting_[slots_.of(line)];
        if (queue.empty() || queue.front().kind != TransactionKind::write_back) ports_.remove(port);
    }

    struct Found {
        ProcessorId port;
        std::size_t place;  // in its queue
    };
    // The write-back of the line by another port than `destination`, if there is one.
    // queue_of(port) is the port's queue.
    template <class QueueOf>
    std::optional<Found> find(ProcessorId destination, Address line, QueueOf&& queue_of) const {
        if (waiting_[slots_.of(line)] == 0) return std::nullopt;
        for (const ProcessorId port : ports_.without(destination)) {
            const std::size_t place = queue_of(port).find_first(TransactionKind::write_back, line);
            if (place != RequestQueue::kNone) return Found{port, place};
        }
        return std::nullopt;
    }
    bool none() const { return ports_.empty(); }

  private:
    LineSlots slots_;
    ProcessorSet ports_;                               // with a write-back in their queue
    std::array<std::uint32_t, kLineSlots> waiting_{};  // waiting write-backs of each slot's lines
};

}  // namespace symsim
