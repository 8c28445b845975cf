// SPDX-License-Identifier: MIT
// A port of the interconnect: the calls that the interconnect makes to a cache controller. The
// calls in the other direction are in interconnect.h.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"

namespace symsim {

// A cache's answer to a transaction that it snoops.
struct Snooped {
    bool shares = false;    // the cache has the line, or the line is in transit to it
    bool supplies = false;  // the cache has bytes that memory does not have yet
    bool absent = false;    // nothing of the line is here, not even in the prefetch queue
};

// The interconnect's view of a cache controller. While the guest runs, all calls except
// roll_back_line() come at events of the interconnect, in order of time.
//
// The calls for a transaction of the port itself
//     needs()     asked before the grant of a store, if decides_at_grant()
//     granted()   the transaction is under way: the processor that waits for it is being served
//     answered()  the transaction takes effect: others have snooped it, memory has been written
//     replied()   only for transactions with a reply; after answered()
// An interconnect with one place through which all transactions pass knows the answer at the grant:
// it calls granted_and_answered(). One whose transactions take effect later leaves the request in
// its queue until the answer, and asks needs() again just before it. Until then nothing has changed
// at the port: it may lose the line of its upgrade, which then is answered as a read_exclusive.
class Port {
  public:
    virtual ~Port() = default;
    // Whether the interconnect must call needs() before it grants a store of this port.
    virtual bool decides_at_grant() const { return true; }
    // Whether this store of the port over the interconnect, if it misses, brings its line into the
    // cache.
    virtual bool installs_stored(const Request&) const { return false; }
    // The interconnect is about to grant the port's oldest request, a store. Returns the
    // transaction that the store needs now. It may need another one than was posted, because the
    // port has lost or gained the line meanwhile. Returns nothing if the port owns the line: then
    // needs() has made the store in the cache.
    virtual std::optional<TransactionKind> needs(const Request& request, Time at) = 0;
    // The port's oldest request is under way from `at` on. Its answer comes later.
    virtual void granted(const Request& request, Time at) = 0;
    // The transaction takes effect at `at`. A store is performed now: its completion counts from
    // now, and the write buffer need not have it any more. `mapped`: memory or a device is at its
    // address. `shared`: another cache has its line.
    virtual void answered(const Request& request, bool mapped, bool shared, Time at) = 0;
    // Both at one event. One call, and without a default: this is most of what an interconnect
    // calls, and a default made the compiler guess which is called (0.2 % more host instructions).
    virtual void granted_and_answered(const Request& request, bool mapped, bool shared,
                                      Time at) = 0;
    // The reply to the port's read is under way; the data are at the port at `arrives`. Returns
    // the time from which other ports may take the line: after the access it was read for.
    virtual Time replied(const Request& request, std::uint32_t io_value, Time arrives) = 0;
    // Whether this port must snoop transactions of this kind. The interconnect does not report
    // others to it.
    virtual bool watches(TransactionKind kind) const = 0;
    // Whether a line becomes silent when other ports have snooped a read of it, and stays silent
    // until a transaction that is not a read. Further reads of a silent line change nothing in any
    // cache, and the reader need not know which caches share the line. So no cache needs to snoop
    // them.
    virtual bool reads_become_silent() const { return false; }
    // Another port's transaction takes effect at `at`. Memory still has the old bytes; `changes`
    // says whether the transaction will change them.
    virtual Snooped snoop(TransactionKind kind, Address address, bool changes, Time at) = 0;
    // The line is about to change or to be read at `at` without a snoop. A processor that has used
    // the line speculatively is rolled back to `at`.
    virtual void roll_back_line(Address address, Time at) = 0;
    // A processor that has executed ahead of `at` is rolled back to it.
    virtual void roll_back(Time /*at*/) {}
    // How many lines of a range of physical addresses the cache has, at commit time. Changes
    // nothing.
    virtual std::uint32_t lines_of(Address /*first*/, std::uint32_t /*bytes*/) const { return 0; }
};

}  // namespace symsim
