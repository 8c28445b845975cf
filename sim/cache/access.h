// SPDX-License-Identifier: MIT
// An access of a processor: what it says to its cache controller, what the controller answers, and
// what it tells the engine that drives the processor.
//
// If the access has not been made, the processor asks again later, by the same call with the same
// arguments. So it can simply execute the instruction again.
#pragma once

#include <cstdint>

#include "sim/base/activity.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// The answer.
enum class Access : std::uint8_t {
    hit,       // made; it costs a cache hit
    made,      // made; it costs no more time
    retry,     // it can be decided only when commit time has reached it: ask again at that time
    waiting,   // for a transaction or for earlier stores: ask again when Waiter::wake() says so
    unmapped,  // neither memory nor a device is at this address
};

// When an access is made, and what the processor is doing then.
struct AccessTime {
    Time at;
    bool committed;  // commit time has reached `at`; false: the access is speculative
    Activity activity;
};

struct Line;

// Hears of the waits of one processor for its cache controller. It is also called before a line
// changes that the processor may have used ahead of the bus.
class Waiter {
  public:
    virtual ~Waiter() = default;
    // A wait begins at `at`, which is commit time.
    virtual void waiting(Time at) = 0;
    // The transaction that the processor waits for is being served from `at` on, or already was.
    virtual void served(Time at) = 0;
    // The processor may ask again at `at`: an edge of its clock, never earlier than commit time.
    virtual void wake(Time at) = 0;
    // A store of this port is performed at `at`, and the processor is waiting.
    virtual void waits_at(Time at) = 0;
    // The store that occupies the cache port is performed at `at`: on the bus, when it is granted.
    // The processor waits for the port, or will wait at a later time that it has reached
    // speculatively. The port is free at `free`, an edge of the processor's clock.
    virtual void port_granted(Time at, Time free) = 0;

    // Bytes or the state of the line at `address` will change at `at`; `line` is the own cache's
    // copy, or null.
    virtual void about_to_change(Address address, const Line* line, Time at) = 0;
    // All that the processor has executed at or after `at` is undone.
    virtual void roll_back(Time at) = 0;
    // Whether instructions of this line, which the cache does not contain, may still be executed:
    // from the prefetch queue, now or after a rollback.
    virtual bool executes_code(Address line) const = 0;
};

// Notes stores that a cache makes in its own lines before commit time has reached them, so that
// they can be undone. No other cache has the line, so nobody has seen them. Implemented by UndoLog
// (sim/engine/speculation/rollback_points.h), which calls StorePath::undo_store().
class StoreLog {
  public:
    virtual ~StoreLog() = default;
    // Called before line and memory change.
    virtual void before_store(Line& line, Address address, unsigned size) = 0;
};

}  // namespace symsim
