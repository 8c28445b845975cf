// SPDX-License-Identifier: MIT
// The directory: what each block's home knows of it, and what the home does with the messages of
// nodes, by the rows of home_protocol.h. The directory entry of a block is in its home's memory,
// with the block.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/nodes/block_table.h"
#include "sim/nodes/home_protocol.h"
#include "sim/nodes/memory_banks.h"
#include "sim/nodes/message.h"
#include "sim/nodes/placement.h"
#include "sim/nodes/ring.h"
#include "sim/nodes/step_queue.h"

namespace symsim {

struct DirectoryEntry {
    HomeState state = HomeState::owned;
    NodeId owner = 0;           // kNoNode: none
    std::uint8_t awaited = 0;   // answers
    bool moves = false;         // with the block, to its new owner; requests wait meanwhile
    std::uint32_t sharers = 0;  // one bit for each node
    Message request;            // the one that is served
};

class Directory {
  public:
    Directory(const NodesConfig& config, std::uint64_t memory_bytes, const PagePlacement& placement,
              MemoryBanks& banks, Ring& ring, StepQueue& steps,
              const HomeProtocol& protocol = kHomeProtocol);

    // A message to the home has been delivered.
    void receive(const Message& message, Time now);
    // The block has arrived at its new owner, which is its home now.
    void moved(Address block, Time now);
    // The home has read directory and memory for the request that it serves.
    void looked_up(Address block, Time now);

    // Null: the block is as at the start, owned by its home.
    const DirectoryEntry* find(Address block) const { return entries_.find(block); }
    const BlockTable<DirectoryEntry>& entries() const { return entries_; }
    // Requests that wait at their homes.
    const std::vector<Message>& waiting() const { return waiting_; }

  private:
    DirectoryEntry& entry(Address block);
    void proceed(DirectoryEntry& entry, HomeEvent event, const Message& message, Time now);
    void act(DirectoryEntry& entry, HomeAction action, const Message& message, Time now);
    void send_block(DirectoryEntry& entry, MessageKind kind, Time now);
    void ask(const DirectoryEntry& entry, MessageKind kind, NodeId node, Time now);
    void resume(Address block, Time now);
    void wait(const Message& request, Time now);
    bool has_room(const Message& request) const;

    const HomeProtocol& protocol_;
    const PagePlacement& placement_;
    MemoryBanks& banks_;
    Ring& ring_;
    StepQueue& steps_;
    std::uint32_t buffer_;
    BlockTable<DirectoryEntry> entries_;
    std::vector<Message> waiting_;  // requests, in order of arrival
};

}  // namespace symsim
