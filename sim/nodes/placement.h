// SPDX-License-Identifier: MIT
// Where the memory of each page is: which node is the home of its blocks. If homes follow owners, a
// page is a block.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/nodes/message.h"
#include "sim/nodes/nodes_config.h"

namespace symsim {

class PagePlacement {
  public:
    PagePlacement(const NodesConfig& config, std::uint64_t memory_bytes)
        : placement_(config.placement),
          nodes_(config.count),
          page_shift_(static_cast<unsigned>(
              __builtin_ctz(follows_owner() ? config.block_bytes : config.page_bytes))),
          homes_(((memory_bytes - 1) >> page_shift_) + 1) {
        for (std::size_t page = 0; page < homes_.size(); ++page) homes_[page] = first_home(page);
    }

    // kNoNode: no processor has used the page yet.
    NodeId home(Address address) const { return homes_[address >> page_shift_]; }
    // A processor of the node uses the page.
    void touch(Address address, NodeId node) {
        NodeId& home = homes_[address >> page_shift_];
        if (home == kNoNode) home = node;
    }
    bool follows_owner() const { return placement_ == Placement::follows_owner; }
    // The node has become the block's owner. Whether that makes it the block's home.
    bool owned(Address block, NodeId node) {
        if (follows_owner()) homes_[block >> page_shift_] = node;
        return follows_owner();
    }

  private:
    // Where the page is at the start.
    NodeId first_home(std::size_t page) const {
        const std::size_t pages_per_node = (homes_.size() + nodes_ - 1) / nodes_;
        switch (placement_) {
            case Placement::first_touch:
            case Placement::follows_owner:
                return kNoNode;
            case Placement::interleaved:
                return static_cast<NodeId>(page % nodes_);
            case Placement::by_address:
                return static_cast<NodeId>(page / pages_per_node);
        }
        return kNoNode;
    }

    Placement placement_;
    std::size_t nodes_;
    unsigned page_shift_;
    std::vector<NodeId> homes_;
};

}  // namespace symsim
