// SPDX-License-Identifier: MIT
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
// Source: two controllers interleaved on 32 bytes (Sequent, SGSmem.h; Netlib), read pipe 1 or 2
// deep (Sequent, bic.h). For how long a request keeps a controller busy has no source.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/saved_state.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/request.h"

namespace symsim {

class MemoryControllers {
  public:
    explicit MemoryControllers(const InterconnectConfig& config)
        : read_busy_(Time{config.memory_read_busy_cycles} * config.clock_period),
          store_busy_(Time{config.memory_store_busy_cycles} * config.clock_period),
          way_(Time{config.request_cycles} * config.clock_period),
          read_pipe_(config.memory_read_pipe),
          interleave_shift_(static_cast<unsigned>(__builtin_ctz(config.memory_interleave_bytes))),
          mask_(config.memory_controllers - 1) {}

    // False: controllers are never busy, and nothing else here need be called.
    bool can_be_busy() const { return read_busy_ > 0 || store_busy_ > 0; }

    // The earliest grant at which a controller accepts a request of this kind; not after `at` if it
    // does now.
    Time accepts_from(TransactionKind kind, Address line) const {
        if (!uses_memory(kind)) return 0;
        const Controller& controller = of(line);
        const bool waits = read_pipe_ > 1 && has_reply(kind);
        return (waits ? controller.before_last : controller.free) - way_;
    }
    // The request has been granted at `at`, and its controller accepts it. Returns for how long it
    // waits there before the controller begins.
    Time accept(TransactionKind kind, Address line, Time at) {
        if (!uses_memory(kind)) return 0;
        Controller& controller = of(line);
        const Time arrives = at + way_;
        const Time begins = std::max(arrives, controller.free);
        controller.before_last = begins == arrives ? arrives : controller.free;
        controller.free = begins + (has_reply(kind) ? read_busy_ : store_busy_);
        busy_until_ = std::max(busy_until_, controller.free - way_);
        return begins - arrives;
    }
    // Whether some controller may refuse a request at `at`.
    bool may_refuse(Time at) const { return busy_until_ > at; }

    template <class Archive>
    void serialize(Archive& archive) {
        archive(controllers_, busy_until_);
    }
    // Throws StateError unless a checkpoint's state could be that of these controllers. `latest`:
    // no controller is busy later.
    void check_loaded(Time latest) const {
        for (const Controller& controller : controllers_)
            require(controller.before_last >= 0 && controller.before_last <= controller.free &&
                        controller.free <= latest,
                    "a memory controller is busy until {} ps", controller.free);
        require(busy_until_ >= 0 && busy_until_ <= latest, "memory is busy until {} ps",
                busy_until_);
    }

  private:
    static constexpr unsigned kMost = 4;  // the limit of memory.controllers

    struct Controller {
        Time free = 0;         // when it has worked on all accepted requests
        Time before_last = 0;  // when it begins, or began, with the last of them

        template <class Archive>
        void serialize(Archive& archive) {
            archive(free, before_last);
        }
    };

    static constexpr bool uses_memory(TransactionKind kind) {
        return kind != TransactionKind::unlock && kind != TransactionKind::upgrade && !is_io(kind);
    }
    const Controller& of(Address address) const {
        return controllers_[address >> interleave_shift_ & mask_];
    }
    Controller& of(Address address) { return controllers_[address >> interleave_shift_ & mask_]; }

    Time read_busy_;
    Time store_busy_;
    Time way_;  // from the grant of a request to its arrival at a controller
    std::uint32_t read_pipe_;
    unsigned interleave_shift_;
    std::uint32_t mask_;
    std::array<Controller, kMost> controllers_;
    Time busy_until_ = 0;  // the latest grant that a controller refuses now ends here
};

}  // namespace symsim
