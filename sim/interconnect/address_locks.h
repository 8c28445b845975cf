// SPDX-License-Identifier: MIT
// Address locks: which port has locked which line, and which ports' requests are blocked by it. A
// locked instruction locks one line, not the interconnect, from the grant of its locked read to the
// grant of its unlock. Requests of other ports for that line are blocked meanwhile:
//
//     port 0   locked read ...... locked store ...... unlock
//     line     |<------------------ locked ---------->|
//     port 1        posts a read: blocked ............. granted
//
// A cache that owns a line can lock it without a transaction (Interconnect::lock_in_cache()).
//
// A port can own two locks of one line: it has locked the line again in its cache while the unlock
// of its earlier lock waits for the interconnect. `on_bus` tells the two apart.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"

namespace symsim {

class AddressLocks {
  public:
    // `hold_all`: a lock that a locked read began blocks the requests of all ports that own no lock
    // themselves (LockedRequest::hold_bus). `look_at_all`: each lock and unlock looks at all ports,
    // not only at those that it can concern; the results are the same
    // (InterconnectConfig::filter_snoops).
    AddressLocks(bool hold_all, bool look_at_all)
        : hold_all_(hold_all), look_at_all_(hold_all || look_at_all) {}

    void begin(ProcessorId owner, Address line, bool on_bus, const OldestRequests& requests);
    void end(ProcessorId owner, Address line, bool on_bus, const OldestRequests& requests);
    // The port has a new oldest request, for this line.
    void requested(ProcessorId port, Address line) {
        for_last_locked_.set(port, line == last_locked_);
        if (!locks_.empty()) blocked_.set(port, blocks(port, line));
    }
    // The port has no request any more.
    void no_request(ProcessorId port) {
        for_last_locked_.remove(port);
        blocked_.remove(port);
    }

    // Ports whose oldest request is blocked by another port's lock.
    const ProcessorSet& blocked() const { return blocked_; }
    // A lock holds the interconnect as a whole (`hold_all`).
    bool all_held() const { return all_held_; }
    bool none() const { return locks_.empty(); }
    const ProcessorSet& owners() const { return owners_; }
    bool owns_any(ProcessorId port) const { return owners_.contains(port); }
    // Calls visit(owner) for each lock, in the order in which they began, until it returns true.
    template <class Visit>
    void for_each_owner(Visit&& visit) const {
        for (const Lock& lock : locks_)
            if (visit(lock.owner)) return;
    }

    // Calls visit(owner, line) for each lock.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Lock& lock : locks_) visit(lock.owner, lock.line);
    }

    // Whether one of the ports has locked a line that begins in these bytes.
    bool any_holds(const ProcessorSet& ports, Address first, std::uint32_t bytes) const {
        for (const Lock& lock : locks_)
            if (ports.contains(lock.owner) && lock.line - first < bytes) return true;
        return false;
    }

  private:
    struct Lock {
        ProcessorId owner;
        Address line;
        bool on_bus;  // begun by a locked read, not by a lock in the owner's cache
    };

    void find_blocked(const OldestRequests& requests);
    // Under hold_all a lock on the bus does not block ports that own a lock themselves. Otherwise
    // the owner of a lock on the bus and the owner of a lock in its cache could wait for each
    // other.
    bool blocks(ProcessorId port, Address line) const {
        for (const Lock& lock : locks_) {
            if (lock.owner == port) continue;
            if (lock.line == line) return true;
            if (hold_all_ && lock.on_bus && !owns_any(port)) return true;
        }
        return false;
    }

    bool hold_all_;
    bool look_at_all_;
    bool all_held_ = false;
    std::vector<Lock> locks_;
    ProcessorSet owners_;  // ports that own a lock in locks_
    ProcessorSet blocked_;
    // Ports whose oldest request is for the line that was locked last. It is usually locked again,
    // and many ports may want it.
    ProcessorSet for_last_locked_;
    Address last_locked_ = kNoLine;
    static constexpr Address kNoLine = 1;  // no line starts at an odd address
};

}  // namespace symsim
