// SPDX-License-Identifier: MIT
#include "sim/interconnect/address_locks.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

// A new lock blocks the ports whose oldest request is for its line, and unblocks none. Under
// hold_all it can concern every port.
void AddressLocks::begin(ProcessorId owner, Address line, bool on_bus,
                         const OldestRequests& requests) {
    locks_.push_back({owner, line, on_bus});
    owners_.add(owner);
    if (look_at_all_) return find_blocked(requests);
    if (line != last_locked_) {
        last_locked_ = line;
        for_last_locked_ = {};
        for (const ProcessorId port : requests.pending())
            if (requests.line(port) == line) for_last_locked_.add(port);
    }
    blocked_ |= for_last_locked_.without(owner);
}

// An unlock concerns only ports that are blocked from its line. Under hold_all it can concern every
// port.
void AddressLocks::end(ProcessorId owner, Address line, bool on_bus,
                       const OldestRequests& requests) {
    const auto lock = std::find_if(locks_.begin(), locks_.end(), [=](const Lock& l) {
        return l.owner == owner && l.line == line && l.on_bus == on_bus;
    });
    if (lock == locks_.end())
        impossible("port {} unlocks {:#x}, which it does not hold", owner, line);
    locks_.erase(lock);
    owners_ = {};
    for (const Lock& other : locks_) owners_.add(other.owner);
    if (look_at_all_) return find_blocked(requests);
    if (locks_.empty()) blocked_ = {};
    for (const ProcessorId port : blocked_)
        if (requests.line(port) == line) blocked_.set(port, blocks(port, line));
}

void AddressLocks::find_blocked(const OldestRequests& requests) {
    all_held_ = hold_all_ && std::any_of(locks_.begin(), locks_.end(),
                                         [](const Lock& lock) { return lock.on_bus; });
    blocked_ = {};
    for (const ProcessorId port : requests.pending())
        blocked_.set(port, blocks(port, requests.line(port)));
}

}  // namespace symsim
