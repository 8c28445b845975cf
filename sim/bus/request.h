// SPDX-License-Identifier: MIT
// What a port asks of the bus, and what the bus tells a port.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct Request {
    Kind kind = Kind::read;
    Activity activity = Activity::boot;  // of the processor when it asked
    std::uint8_t size = 0;               // bytes: of the line for a fill, of the datum otherwise
    Address address = 0;
    std::uint32_t value = 0;  // of stores
    Time posted = 0;
};

constexpr bool is_store(Kind k) {
    return k == Kind::store || k == Kind::locked_store || k == Kind::io_write;
}
constexpr bool has_reply(Kind k) {
    return k == Kind::fetch || k == Kind::read || k == Kind::locked_read || k == Kind::io_read;
}

// The bus's view of a cache controller. All calls come at bus edges, in order of time.
class BusPort {
  public:
    virtual ~BusPort() = default;
    // The port's oldest request has been granted the bus at `at`. `answered`: something stands at
    // its address.
    virtual void granted(const Request& request, bool answered, Time at) = 0;
    // The reply to its read is on the bus; the data are at the port at `arrives`.
    virtual void replied(const Request& request, std::uint32_t io_value, Time arrives) = 0;
    // Whether transactions of this kind can concern it: the others it is not told of.
    virtual bool watches(Kind kind) const = 0;
    // Another port's transaction takes effect at `at`; memory still holds the old data.
    virtual void snoop(Kind kind, Address address, Time at) = 0;
    // The port's own store to a line that holds code takes effect at `at`.
    virtual void own_code_written(Address address, Time at) = 0;
};

}  // namespace symsim
