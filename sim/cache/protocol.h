// SPDX-License-Identifier: MIT
// What a coherence protocol decides. One file per protocol; the controller does the rest.
//
// A protocol is asked three things, always when the answer takes effect on the bus: how a store
// to a line in this state is made, in which state a line that has been read arrives, and what
// becomes of an own line when another processor's transaction is snooped.
#pragma once

#include <memory>
#include <string_view>

#include "sim/base/types.h"
#include "sim/cache/cache.h"

namespace symsim {

class Protocol {
  public:
    virtual ~Protocol() = default;

    // The transaction that a store to a line in this state (invalid: not here) needs.
    virtual Kind store(LineState own) const = 0;
    // The state of a line that a fill of this kind brings; invalid: it is not kept.
    virtual LineState filled(Kind fill) const = 0;
    // The state of an own line after another's transaction.
    virtual LineState snooped(LineState own, Kind transaction) const = 0;
};

// Model A: stores go to memory at once and invalidate every other copy; a miss does not allocate.
std::unique_ptr<Protocol> write_through();

}  // namespace symsim
