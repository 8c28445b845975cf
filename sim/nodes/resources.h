// SPDX-License-Identifier: MIT
// The resources of a machine of nodes: ways between processors and node (a path for each processor,
// or one bus), memory banks, and the links of the rings. Each is used by one at a time, in the
// order in which it is asked for. A use is granted when it is asked for, for a time that may be
// later; it is reported to the observer at that time, because uses are reported in order of their
// starts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/named_resource.h"
#include "sim/nodes/nodes_config.h"

namespace symsim {

class Resources {
  public:
    Resources(const NodeMachineConfig& config, Observer& observer)
        : observer_(observer),
          ways_per_node_(config.inside == NodeInside::bus ? 1 : config.node_processors),
          processors_per_node_(config.node_processors),
          banks_per_node_(config.memory.controllers),
          first_bank_(config.count * ways_per_node_),
          first_link_(first_bank_ + config.count * banks_per_node_),
          nodes_(config.count),
          free_from_(count(config)) {}

    // How many resources a machine has: BusUse::resource.
    static unsigned count(const NodeMachineConfig& config) {
        const unsigned ways = config.inside == NodeInside::bus ? 1 : config.node_processors;
        const unsigned links = config.count > 1 ? config.rings : 0;
        return config.count * (ways + config.memory.controllers + links);
    }
    // What each of them is.
    static ResourceTable table(const NodeMachineConfig& config) {
        using Kind = NamedResource::Kind;
        const bool bus = config.inside == NodeInside::bus;
        const unsigned paths = config.node_processors;
        ResourceTable table;
        for (unsigned node = 0; node < config.count; ++node)
            for (unsigned n = 0; n < (bus ? 1 : paths); ++n)
                table.push_back({bus ? Kind::bus : Kind::path, node, bus ? 0 : node * paths + n});
        for (unsigned node = 0; node < config.count; ++node)
            for (unsigned bank = 0; bank < config.memory.controllers; ++bank)
                table.push_back({Kind::memory, node, bank});
        if (config.count == 1) return table;
        for (unsigned ring = 0; ring < config.rings; ++ring)
            for (unsigned node = 0; node < config.count; ++node)
                table.push_back({Kind::link, node, ring, (node + 1) % config.count});
        return table;
    }
    unsigned way(ProcessorId port) const {
        return ways_per_node_ == 1 ? port / processors_per_node_ : port;
    }
    unsigned bank(unsigned node, unsigned bank) const {
        return first_bank_ + node * banks_per_node_ + bank;
    }
    // From this node to the next one.
    unsigned link(unsigned node, unsigned ring) const { return first_link_ + ring * nodes_ + node; }

    // Asks for the resource at `now`. Returns the start of the use.
    Time use(unsigned resource, Time now, Time duration, BusUse use) {
        const Time start = std::max(now, free_from_[resource]);
        free_from_[resource] = start + duration;
        use.start = start;
        use.duration = duration;
        use.resource = static_cast<std::uint8_t>(resource);
        if (start == now)
            tell(use);
        else
            add_later(use);
        return start;
    }
    // When the next use begins that has not been reported, or kNever.
    Time next_report() const { return later_.empty() ? kNever : later_.back().start; }
    // Reports the uses that begin at `now` or before it.
    void report(Time now) {
        while (next_report() <= now) {
            tell(later_.back());
            later_.pop_back();
        }
    }
    // When the last use of the resource that is granted ends.
    Time free_from(unsigned resource) const { return free_from_[resource]; }

  private:
    void tell(const BusUse& use) {
        observer_.used(use);
        if (use.resource >= first_link_) observer_.carried(use);
    }
    void add_later(const BusUse& use) {
        auto before = later_.end();
        while (before != later_.begin() && (before - 1)->start <= use.start) --before;
        later_.insert(before, use);
    }

    Observer& observer_;
    unsigned ways_per_node_, processors_per_node_, banks_per_node_, first_bank_, first_link_,
        nodes_;
    std::vector<Time> free_from_;  // when the last use of each ends
    std::vector<BusUse> later_;    // not reported yet, the next one last
};

}  // namespace symsim
