// SPDX-License-Identifier: MIT
// The lines that the instruction under way has locked. AddressLocks of the interconnect says which
// ports a lock keeps off. Only the cache knows which instruction a lock belongs to, and how it will
// end: an entry leaves when its instruction unlocks, which may be before that is granted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

struct LockedLine {
    Address line;
    bool on_bus;  // locked by a locked read over the bus, not within the cache
    // Its operand is in one dword, so the instruction makes one store to the line.
    bool one_store = true;
    bool ended_by_store = false;  // that store unlocks the line (Request::ends_lock)
};

class LockedLines {
  public:
    bool has(Address line) const { return find(line) != lines_.end(); }
    std::size_t size() const { return lines_.size(); }
    const std::vector<LockedLine>& all() const { return lines_; }

    void add(Address line, bool on_bus) {
        if (has(line)) impossible("an instruction locks {:#x} twice", line);
        lines_.push_back({line, on_bus});
    }
    // The operand has a second dword in this line. Returns whether the line is locked.
    bool add_dword(Address line) {
        const auto entry = find(line);
        if (entry == lines_.end()) return false;
        at(entry).one_store = false;
        return true;
    }
    // Whether the locked store that is about to be posted, to this line, ends the lock when it is
    // granted; if so, notes it. An operand in two lines holds two locks, until both stores are
    // complete.
    bool end_by_store(Address line) {
        const auto entry = find(line);
        if (size() != 1 || entry == lines_.end()) return false;
        if (entry->on_bus && entry->one_store) at(entry).ended_by_store = true;
        return entry->ended_by_store;
    }
    // Whether the instruction must still post the store that ends the lock, or unlock() it.
    bool await_unlock() const {
        return std::any_of(lines_.begin(), lines_.end(),
                           [](const LockedLine& entry) { return !entry.ended_by_store; });
    }
    LockedLine remove(Address line) {
        const auto entry = find(line);
        if (entry == lines_.end()) impossible("unlocks {:#x}, which is not locked", line);
        const LockedLine removed = *entry;
        lines_.erase(entry);
        return removed;
    }
    void clear() { lines_.clear(); }

  private:
    using Entry = std::vector<LockedLine>::const_iterator;
    Entry find(Address line) const {
        return std::find_if(lines_.begin(), lines_.end(),
                            [=](const LockedLine& entry) { return entry.line == line; });
    }
    LockedLine& at(Entry entry) { return lines_[static_cast<std::size_t>(entry - lines_.begin())]; }

    std::vector<LockedLine> lines_;
};

}  // namespace symsim
