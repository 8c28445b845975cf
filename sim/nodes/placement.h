// SPDX-License-Identifier: MIT
// Where the memory of each page is: which node is the home of its blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/saved_state.h"
#include "sim/base/types.h"
#include "sim/nodes/message.h"
#include "sim/nodes/nodes_config.h"

namespace symsim {

class PagePlacement {
  public:
    PagePlacement(const NodesConfig& config, std::uint64_t memory_bytes)
        : page_shift_(static_cast<unsigned>(__builtin_ctz(config.page_bytes))),
          homes_((memory_bytes + config.page_bytes - 1) >> page_shift_, kNoNode) {
        if (config.placement == Placement::first_touch) return;
        const std::size_t pages_per_node = (homes_.size() + config.nodes - 1) / config.nodes;
        for (std::size_t page = 0; page < homes_.size(); ++page)
            homes_[page] = static_cast<NodeId>(config.placement == Placement::by_address
                                                   ? page / pages_per_node
                                                   : page % config.nodes);
    }

    // kNoNode: no processor has used the page yet.
    NodeId home(Address address) const { return homes_[address >> page_shift_]; }
    // A processor of the node uses the page.
    void touch(Address address, NodeId node) {
        NodeId& home = homes_[address >> page_shift_];
        if (home == kNoNode) home = node;
    }

    template <class Archive>
    void serialize(Archive& archive) {
        const std::size_t pages = homes_.size();
        archive(homes_);
        require(homes_.size() == pages, "its memory has {} pages", homes_.size());
    }
    const std::vector<NodeId>& homes() const { return homes_; }

  private:
    unsigned page_shift_;
    std::vector<NodeId> homes_;
};

}  // namespace symsim
