// SPDX-License-Identifier: MIT
// How long each part of a transaction takes, and when the memory controllers are busy. A read of a
// 16-byte line, with nothing in its way and the values of configs/machines/symmetry-a.toml, takes 8
// cycles from the edge that sees the request:
//
//     cycle         1          2        3   4   5      6   7          8
//               arbitrate   request      memory         reply    synchronise
//     bus          free       busy        free          busy        free
//
// A store has no reply: it occupies the way to memory once, for address and data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/request.h"

namespace symsim {

class TransactionTimes {
  public:
    explicit TransactionTimes(const InterconnectConfig& config)
        : clock_(config.period()),
          line_bytes_(config.line_bytes),
          width_bytes_(config.width_bytes),
          width_shift_(static_cast<unsigned>(__builtin_ctz(config.width_bytes))),
          unlock_(clock_.cycles(config.unlock_cycles)),
          to_reply_(clock_.cycles(config.request_cycles + config.memory.latency_cycles)),
          to_owners_reply_(to_reply_ + clock_.cycles(config.owner_supply_cycles)),
          device_request_(clock_.cycles(config.request_cycles)),
          device_(clock_.cycles(config.memory.latency_cycles)),
          synchronise_(clock_.cycles(config.synchronise_cycles)) {
        requests_.fill(clock_.cycles(config.request_cycles));
        requests_[index(TransactionKind::unlock)] = unlock_;
        for (const TransactionKind kind :
             {TransactionKind::store, TransactionKind::locked_store, TransactionKind::io_write})
            requests_[index(kind)] = clock_.cycles(config.store_cycles);
    }

    // For how long the request occupies the way to memory.
    Time request(const Request& request) const {
        const Time without_data = requests_[index(request.kind)];
        if (request.ends_lock) return without_data + unlock_;
        if (request.kind != TransactionKind::write_back) return without_data;
        return without_data + data(request.size);
    }
    // For how long its reply occupies the way back.
    Time reply(const Request& request) const {
        return data(request.kind == TransactionKind::read_exclusive ? line_bytes_ : request.size);
    }
    // When the data are ready for the reply to a read granted at `at`, from memory or an owner.
    Time ready(Time at, bool from_owner) const {
        return at + (from_owner ? to_owners_reply_ : to_reply_);
    }
    // The same for the read of a device that takes `delay`.
    Time device_ready(Time at, Time delay) const {
        return clock_.edge_at_or_after(at + device_request_ + std::max(device_, delay));
    }
    // From the end of a reply until its data are at the port.
    Time synchronise() const { return synchronise_; }

  private:
    Time data(unsigned bytes) const {
        return clock_.cycles((bytes + width_bytes_ - 1) >> width_shift_);
    }

    Clock clock_;
    std::uint32_t line_bytes_;
    std::uint32_t width_bytes_;
    unsigned width_shift_;                          // log2 of width_bytes_
    std::array<Time, kTransactionKinds> requests_;  // of a write-back: without its data
    Time unlock_;
    Time to_reply_, to_owners_reply_;
    Time device_request_, device_;
    Time synchronise_;
};

// When the memory controllers are busy. Lines are interleaved between the controllers, so all
// requests for one line meet at one of them. A controller works on one request at a time, for
// read_busy_cycles or store_busy_cycles. It accepts the next request when it is free; of reads it
// also accepts some that wait (read_pipe), and a read that waits is answered later:
//
//     bus           read A   read B
//     controller    |------ A ------|------ B ------|      read_pipe = 2
//     replies                    A ^             B ^
//
// A request that no controller accepts yet is not granted the bus, and others go first.
//
// Lanes. Requests that a controller accepts from the same time on are in one lane: those of one
// controller; if reads may wait there, its reads apart from the others. Requests that need no
// controller are in lane 0. For each lane the ports are noted whose oldest request is in it, so
// that nobody looks at ports one by one.
//
// Source: two controllers interleaved on 32 bytes (Sequent, SGSmem.h; Netlib), read pipe 1 or 2
// deep (Sequent, bic.h). For how long a request keeps a controller busy has no source.
class MemoryControllers {
  public:
    explicit MemoryControllers(const InterconnectConfig& config)
        : way_(Time{config.request_cycles} * config.period()),
          controllers_in_use_(config.memory.controllers),
          interleave_shift_(static_cast<unsigned>(__builtin_ctz(config.memory.interleave_bytes))) {
        accepted_from_.fill(-way_);
        const bool busy = config.memory.read_busy_cycles > 0 || config.memory.store_busy_cycles > 0;
        if (!busy) return;
        const bool reads_wait = config.memory.read_pipe > 1;
        lanes_in_use_ += controllers_in_use_ * (reads_wait ? 2 : 1);
        for (std::size_t k = 0; k < kTransactionKinds; ++k) {
            const auto kind = static_cast<TransactionKind>(k);
            if (!uses_memory(kind)) continue;
            first_lanes_[k] = reads_wait && has_reply(kind) ? 1 + controllers_in_use_ : 1;
            busy_[k] = config.period() * Time{has_reply(kind) ? config.memory.read_busy_cycles
                                                              : config.memory.store_busy_cycles};
        }
    }

    // False: controllers are never busy, and all requests are in lane 0.
    bool can_be_busy() const { return lanes_in_use_ > 1; }

    // The port has a new oldest request.
    void requested(ProcessorId port, TransactionKind kind, Address line) {
        const unsigned lane = lane_of(kind, line);
        ports_[lanes_[port]].remove(port);
        ports_[lane].add(port);
        lanes_[port] = static_cast<std::uint8_t>(lane);
    }
    // Of a port that has a request: the earliest grant at which a controller accepts it; not after
    // the present if one does now.
    Time accepts_from(ProcessorId port) const { return accepted_from_[lanes_[port]]; }
    // The earliest such grant of one of these ports, which have requests. kNever without ports.
    Time accepts_one_from(ProcessorSet ports) const {
        Time soonest = kNever;
        for (unsigned lane = 0; lane < lanes_in_use_; ++lane)
            if (!(ports & ports_[lane]).empty()) soonest = std::min(soonest, accepted_from_[lane]);
        return soonest;
    }
    // The ports whose requests, if they have any, no controller accepts at `at`.
    ProcessorSet refused(Time at) const {
        ProcessorSet all;
        if (at >= busy_until_) return all;
        for (unsigned lane = 1; lane < lanes_in_use_; ++lane)
            if (accepted_from_[lane] > at) all |= ports_[lane];
        return all;
    }
    // The request has been granted at `at`, and its controller accepts it. Returns for how long it
    // waits there before the controller begins.
    Time accept(TransactionKind kind, Address line, Time at) {
        if (first_lanes_[index(kind)] == 0) return 0;
        const unsigned lane = 1 + controller_of(line);
        Time& free = accepted_from_[lane];
        const Time begins = std::max(at, free);
        accepted_from_[lane + controllers_in_use_] = begins;
        free = begins + busy_[index(kind)];
        busy_until_ = std::max(busy_until_, free);
        return begins - at;
    }

  private:
    static constexpr unsigned kMost = 4;  // the limit of memory.controllers
    static constexpr unsigned kMostLanes = 1 + 2 * kMost;

    static constexpr bool uses_memory(TransactionKind kind) {
        return kind != TransactionKind::unlock && kind != TransactionKind::upgrade && !is_io(kind);
    }
    unsigned controller_of(Address line) const {
        return line >> interleave_shift_ & (controllers_in_use_ - 1);
    }
    unsigned lane_of(TransactionKind kind, Address line) const {
        const unsigned first = first_lanes_[index(kind)];
        return first == 0 ? 0 : first + controller_of(line);
    }

    Time way_;  // from the grant of a request to its arrival at a controller
    unsigned controllers_in_use_;
    unsigned interleave_shift_;
    unsigned lanes_in_use_ = 1;
    // The lane of the first controller for requests of each kind, 0 if they need no controller.
    std::array<std::uint8_t, kTransactionKinds> first_lanes_{};
    std::array<Time, kTransactionKinds>
        busy_{};           // for how long requests of each kind keep one busy
    Time busy_until_ = 0;  // the latest grant that a controller refuses now ends here
    // The earliest grant at which requests of each lane are accepted. Lane 0; then a lane of each
    // controller: when it is free; then another of each, for reads that may wait: when it begins
    // with the last request that it has accepted.
    std::array<Time, kMostLanes> accepted_from_;
    std::array<ProcessorSet, kMostLanes> ports_;  // by the lane of the port's newest oldest request
    std::array<std::uint8_t, kMaxProcessors> lanes_{};  // of the ports
};

}  // namespace symsim
