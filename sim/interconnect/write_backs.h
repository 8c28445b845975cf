// SPDX-License-Identifier: MIT
// Write-backs that wait in the ports' queues. A write-back goes to the front of its port's queue.
// While it waits, it supplies the line to any other port that reads it. Memory gets the line with
// that reply, and the write-back is dropped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/base/processor_set.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/line_slots.h"
#include "sim/interconnect/request_queue.h"

namespace symsim {

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
