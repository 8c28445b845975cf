// SPDX-License-Identifier: MIT
// What a port asks of the bus, and what the bus tells a port.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"

namespace symsim {

struct Request {
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // of the processor when it asked
    std::uint8_t size = 0;               // bytes: of the line for a fill, of the datum otherwise
    Address address = 0;
    std::uint32_t value = 0;  // of stores
    Time posted = 0;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(kind, activity, size, address, value, posted);
    }
};

// Carries a datum that reaches memory, as all processors see it, at the grant.
constexpr bool is_store(TransactionKind k) {
    return k == TransactionKind::store || k == TransactionKind::locked_store ||
           k == TransactionKind::read_exclusive || k == TransactionKind::upgrade ||
           k == TransactionKind::io_write;
}
constexpr bool has_reply(TransactionKind k) {
    return k == TransactionKind::fetch || k == TransactionKind::read ||
           k == TransactionKind::read_exclusive || k == TransactionKind::locked_read ||
           k == TransactionKind::io_read;
}
constexpr bool is_io(TransactionKind k) {
    return k == TransactionKind::io_read || k == TransactionKind::io_write;
}

// What another port's cache has to say to a transaction it snoops.
struct Snooped {
    bool shares = false;    // it has the line, or is getting it
    bool supplies = false;  // it has what memory does not have yet
    bool absent = false;    // nothing of the line is there, not even in the prefetch queue
};

// The bus's view of a cache controller. All calls come at bus edges, in order of time.
class BusPort {
  public:
    virtual ~BusPort() = default;
    // Whether what a store needs can be another thing at its grant than what it was posted as.
    virtual bool decides_at_grant() const { return true; }
    // What its oldest request, a store, needs now that the bus is free for it: what it was posted
    // as may have been overtaken. Nothing: the line is the port's own, and it has made the store.
    virtual std::optional<TransactionKind> needs(const Request& request, Time at) = 0;
    // The port's oldest request has been granted the bus at `at`. `answered`: something stands at
    // its address; `shared`: another cache has its line.
    virtual void granted(const Request& request, bool answered, bool shared, Time at) = 0;
    // The reply to its read is on the bus; the data are at the port at `arrives`. Returns from when
    // on others may take the line: behind the access it was read for.
    virtual Time replied(const Request& request, std::uint32_t io_value, Time arrives) = 0;
    // Whether transactions of this kind can concern it: the others it is not told of.
    virtual bool watches(TransactionKind kind) const = 0;
    // Whether a line that others have been told of a read of, and then of nothing but reads, is
    // settled: further reads of it change nothing in any cache, and nobody asks who shares it.
    virtual bool reads_become_silent() const { return false; }
    // Another port's transaction takes effect at `at`; memory still holds the old data, and
    // `changes` says whether it will hold others.
    virtual Snooped snoop(TransactionKind kind, Address address, bool changes, Time at) = 0;
    // Something is about to happen to a line at `at`, and there is no snoop to say so: what has
    // been done with it ahead is taken back.
    virtual void roll_back_line(Address address, Time at) = 0;
};

}  // namespace symsim
