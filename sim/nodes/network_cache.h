// SPDX-License-Identifier: MIT
// The network cache of a node: the part of its memory that keeps copies of other nodes' blocks.
// Only the tags: which blocks it has. It includes all blocks of other nodes that the processors'
// caches have lines of.
//
// A block whose access is under way cannot be evicted. If all blocks of a set are such, a new one
// is kept beside the set, as in a buffer, until the set has room; so no request waits for room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class NetworkCache {
  public:
    NetworkCache(std::uint32_t size_bytes, std::uint32_t ways, std::uint32_t block_bytes)
        : block_shift_(static_cast<unsigned>(__builtin_ctz(block_bytes))),
          ways_(ways),
          set_count_(size_bytes / block_bytes / ways) {}

    void use(Address block, Time at) {
        for (Entry& entry : set_of(block))
            if (entry.block == block) entry.used = at;
    }
    void add(Address block, Time at) { set_of(block).push_back({block, at}); }
    void remove(Address block) {
        std::vector<Entry>& set = set_of(block);
        const auto found = std::find_if(set.begin(), set.end(),
                                        [=](const Entry& entry) { return entry.block == block; });
        if (found != set.end()) set.erase(found);
    }
    // The block that must be evicted before another is added to its set: the least recently used of
    // those for which may_leave(block). Nothing: there is room, or none may leave.
    template <class MayLeave>
    std::optional<Address> victim(Address block, MayLeave&& may_leave) const {
        const auto set = sets_.find(index_of(block));
        if (set == sets_.end() || set->second.size() < ways_) return std::nullopt;
        const Entry* oldest = nullptr;
        for (const Entry& entry : set->second)
            if ((!oldest || entry.used < oldest->used) && may_leave(entry.block)) oldest = &entry;
        return oldest ? std::optional(oldest->block) : std::nullopt;
    }

    bool has(Address block) const {
        const auto set = sets_.find(index_of(block));
        if (set == sets_.end()) return false;
        for (const Entry& entry : set->second)
            if (entry.block == block) return true;
        return false;
    }

    // Calls visit(block) for each block.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const auto& [number, set] : sets_)
            for (const Entry& entry : set) visit(entry.block);
    }

  private:
    struct Entry {
        Address block;
        Time used;
    };

    std::uint32_t index_of(Address block) const { return (block >> block_shift_) % set_count_; }
    std::vector<Entry>& set_of(Address block) { return sets_[index_of(block)]; }

    unsigned block_shift_;
    std::size_t ways_;
    std::uint32_t set_count_;
    std::map<std::uint32_t, std::vector<Entry>> sets_;  // those that have ever had a block
};

}  // namespace symsim
