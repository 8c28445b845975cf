// SPDX-License-Identifier: MIT
// The requests that a cache controller posts to its port of the interconnect (port.h).
#pragma once

#include <cstdint>

#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

struct Request {
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // of the processor when it posted the request
    std::uint8_t size = 0;               // bytes: of the line for a fill, of the datum otherwise
    bool ends_lock = false;              // a locked store that unlocks its line when it is granted
    Address address = 0;
    std::uint32_t value = 0;  // of stores
    Time posted = 0;
};

// Whether the transaction carries a datum to memory. All processors see the datum from the grant
// on.
constexpr bool is_store(TransactionKind k) {
    return k == TransactionKind::store || k == TransactionKind::locked_store ||
           k == TransactionKind::read_exclusive || k == TransactionKind::upgrade ||
           k == TransactionKind::io_write;
}
// A read that leaves other caches their copies.
constexpr bool is_read(TransactionKind k) {
    return k == TransactionKind::fetch || k == TransactionKind::read;
}
// Whether the transaction brings data back in a reply.
constexpr bool has_reply(TransactionKind k) {
    return k == TransactionKind::fetch || k == TransactionKind::read ||
           k == TransactionKind::read_exclusive || k == TransactionKind::locked_read ||
           k == TransactionKind::io_read;
}
constexpr bool is_io(TransactionKind k) {
    return k == TransactionKind::io_read || k == TransactionKind::io_write;
}

// The use of the bus, or of another resource of the interconnect, that the request makes.
inline BusUse use_of(ProcessorId port, const Request& request, Time start, Time duration) {
    BusUse use;
    use.start = start;
    use.duration = duration;
    use.posted = request.posted;
    use.processor = port;
    use.kind = request.kind;
    use.activity = request.activity;
    use.address = request.address;
    use.size = request.size;
    return use;
}

}  // namespace symsim
