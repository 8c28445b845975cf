// SPDX-License-Identifier: MIT
// Loads and fetches: hits, forwarding from the write buffer, fills, and reads of devices. A layer
// of CacheController (controller.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/cache_port.h"
#include "sim/devices/device.h"

namespace symsim {

class LoadPath : public CachePort {
  public:
    using CachePort::CachePort;

    Access load(Address address, unsigned size, const AccessTime& when, std::uint32_t& value);
    // The prefetcher enters the line of `address`. After a branch it needs the cache port now. In
    // sequence it has run ahead, and used the port earlier.
    Access fetch(Address address, const AccessTime& when, bool branched);
    Time hit_wait() const { return hit_wait_; }

    // Whether no store occupies the cache port at `at`.
    bool port_free(Time at) const { return stores_.free(at); }
    // kNever: not known yet, since a store has not been performed.
    Time port_free_from() const { return stores_.free_from(); }
    // The reply to the processor's read has arrived; the access that asked for it will take it.
    bool fill_arrived() const { return fill_.arrived(); }
    // The fast path of fetches and loads: the port is free, and the cache contains the line. If one
    // of these returns false, fetch() or load() decides.
    bool fetch_hits(Address address, Time at) { return port_free(at) && hits(address, at); }
    // A fetch in sequence does not need the port. But it must wait for code that the processor
    // itself has written, until that has left the write buffer.
    bool queue_hits(Address line, Time at) {
        if (!port_free(at) &&
            (protocol_.has_own_lines() || stores_.buffer().touches(line, cache_.line_bytes())))
            return false;
        return hits(line, at);
    }
    bool load_hits(Address address, unsigned size, Time at, std::uint32_t& value) {
        if (!fetch_hits(address, at)) return false;
        value = memory_.read(address, size);
        return true;
    }

    // Whether load() would answer `waiting` or `retry` for a load that load_hits() refused. Checks
    // only simple cases: false means unknown.
    bool load_waits(Address address, Time at) {
        if (!blocks_port_ || address >= kDeviceSpace) return false;
        return !port_free(at) || (!fill_.arrived() && !cache_.find(address));
    }

    // The value that the processor itself would read now; for observers, no access is made.
    std::uint32_t peek(Address address, unsigned size) const;
    // The same at `commit_time`: first rolls back what other processors have stored speculatively
    // to own lines.
    std::uint32_t peek_at(Address address, unsigned size, Time commit_time);
    // peek() of many bytes, all in memory.
    void peek_bytes(Address address, std::uint8_t* bytes, unsigned count) const;

    // Adds a device that is accessed without the bus.
    void add_device(Device* device) { devices_.push_back(device); }

  protected:
    Access request_fill(TransactionKind kind, Address address, unsigned size,
                        const AccessTime& when);
    bool take_fill(TransactionKind kind, Address address, const AccessTime& when);
    // An access without the bus. No answer: no such device takes it.
    std::optional<Access> device_access(Address address, unsigned size, const AccessTime& when,
                                        bool write, std::uint32_t& value);
    Access await_port(const AccessTime& when);
    bool arriving(Address address, Time at) const {
        return stores_.arriving(cache_.line_of(address), at);
    }
    // Whether a request for an access at this time can be posted: at commit time always, and
    // speculatively if no store occupies the port.
    bool may_post(const AccessTime& when) const {
        return when.committed || (ahead_.posts && port_free(when.at));
    }

    std::vector<Device*> devices_;              // accessed without the bus
    std::optional<std::uint32_t> answer_ = {};  // for which the processor waits

  private:
    Access cached(Address address, unsigned size, const AccessTime& when, TransactionKind kind,
                  std::uint32_t& value);
    Access fetch_line(Address address, const AccessTime& when);
    Access device_load(Address address, unsigned size, const AccessTime& when,
                       std::uint32_t& value);
    std::uint32_t datum(Address address, unsigned size) const;
    bool hits(Address address, Time at) {
        Line* const line = cache_.find(address);
        return line && cache_.uses_at_once(*line, at);
    }
    // While a store waits for its line, the cache uses no line speculatively: which line the
    // arriving one evicts depends on the times of last use.
    bool too_early(const AccessTime& when) const {
        return protocol_.has_own_lines() && !when.committed && !stores_.buffer().empty();
    }
};

}  // namespace symsim
