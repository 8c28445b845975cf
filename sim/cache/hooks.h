// SPDX-License-Identifier: MIT
// What a cache controller reports to an engine whose processors run ahead of the bus.
#pragma once

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct Line;

// Is called before a line changes that a processor ahead of the bus may have used, and when a wait
// of the processor continues. With a SnoopHook the controller leaves it to the hook to report waits
// to observers.
class SnoopHook {
  public:
    virtual ~SnoopHook() = default;
    // Bytes or the state of the line at `address` will change at `at`; `line` is the own cache's
    // copy, or null.
    virtual void about_to_change(Address address, const Line* line, Time at) = 0;
    // All that the processor has executed at or after `at` is undone.
    virtual void roll_back(Time at) = 0;
    // Whether instructions of this line, which the cache does not contain, may still be executed:
    // from the prefetch queue, now or after a rollback.
    virtual bool executes_code(Address line) const = 0;
    // A store of this port is performed at `at`, and the processor is waiting.
    virtual void waits_at(Time at) = 0;
    // The transaction that the processor waits for is being served from `at` on, or already was.
    virtual void served(Time at) = 0;
    // The store that occupies the cache port is performed at `at`: on the bus, when it is granted.
    // The processor waits for the port, or will wait at a later time that it has reached
    // speculatively. The port is free at `free`, an edge of the processor's clock.
    virtual void port_granted(Time at, Time free) = 0;
};

// Notes stores that a cache makes in its own lines before commit time has reached them, so that
// they can be undone. No other cache has the line, so nobody has seen them. Implemented by UndoLog
// (sim/engine/speculation/undo_log.h), which calls StorePath::undo_store().
class StoreLog {
  public:
    virtual ~StoreLog() = default;
    // Called before line and memory change.
    virtual void before_store(Line& line, Address address, unsigned size) = 0;
};

}  // namespace symsim
