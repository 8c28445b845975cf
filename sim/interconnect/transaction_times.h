// SPDX-License-Identifier: MIT
// How long each part of a transaction takes. A read of a 16-byte line, with nothing in its way and
// the values of configs/machines/symmetry-a.toml, takes 8 cycles from the edge that sees the
// request:
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

}  // namespace symsim
