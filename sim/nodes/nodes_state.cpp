// SPDX-License-Identifier: MIT
// The state of the nodes in checkpoints, and checks of a state that was loaded.
#include <algorithm>

#include "sim/base/archive.h"
#include "sim/base/saved_state.h"
#include "sim/nodes/loaded_blocks.h"
#include "sim/nodes/nodes.h"

namespace symsim {

namespace {
// No time that is known ahead is later: 64 requests wait for a resource for some hundred cycles
// each at most.
constexpr Time kFarAheadOnNodes = 100 * kMillisecond;
}  // namespace

template <class Archive>
void Nodes::serialize(Archive& archive) {
    std::vector<RequestQueue> queues;
    std::vector<PortCounts> counts;
    for (AttachedPort& port : ports_) {
        queues.push_back(port.queue);
        counts.push_back(port.counts);
    }
    archive(queues, counts, next_event_, last_event_, last_grant_, turn_, under_way_, transactions_,
            steps_, resources_, placement_, directory_, candidates_.locks);
    for (const auto& node : nodes_) archive(*node);
    require(queues.size() == ports_.size() && counts.size() == ports_.size() &&
                transactions_.size() == ports_.size(),
            "it has {} ports", queues.size());
    for (ProcessorId port = 0; port < ports_.size(); ++port) {
        ports_[port].queue = queues[port];
        ports_[port].counts = counts[port];
        candidates_.no_request(port);
        require(queues[port].empty() || head(port).posted < kNever / 2,
                "a request of port {} was posted at {} ps", port, head(port).posted);
        if (!queues[port].empty())
            candidates_.requested(port, head(port).kind, line_of(head(port).address),
                                  eligible_from(head(port).posted));
    }
    candidates_.locks.find_blocked(candidates_.requests);
}

void Nodes::save_state(SaveArchive& archive) {
    serialize(archive);
}

void Nodes::load_state(LoadArchive& archive) {
    serialize(archive);
}

void Nodes::check_loaded(Time at) const {
    const ProcessorSet all = ProcessorSet::first(static_cast<unsigned>(ports_.size()));
    require((under_way_ - all).empty(), "requests of ports {} are under way", under_way_.text());
    for (const AttachedPort& port : ports_) port.counts.check_loaded();
    candidates_.locks.check_loaded(ports_.size(), config_.line_bytes, memory_.size());
    placement_.check_loaded();
    require(last_event_ >= -1 && last_event_ < at && last_grant_ >= -1 &&
                last_grant_ <= last_event_ && turn_ < kMaxProcessors,
            "the last event was at {} ps and the last grant at {} ps", last_event_, last_grant_);
    const Time latest = at + kFarAheadOnNodes;
    resources_.check_loaded(at, latest, ports_.size());
    const LoadedBlocks blocks({config_, memory_.size(), ports_.size(), placement_, ring_, steps_,
                               directory_, nodes_, candidates_.locks},
                              at, latest);
    blocks.check();
    for (ProcessorId port = 0; port < ports_.size(); ++port) {
        check_loaded_queue(port, at);
        check_loaded_transaction(port, blocks.requests(port));
    }
    require(next_event_ >= at && next_event_ <= find_next_event(last_event_) &&
                (next_event_ == kNever || clock_.edge_at_or_after(next_event_) == next_event_),
            "the next event is at {} ps", next_event_);
}

// Write-backs come first.
void Nodes::check_loaded_queue(ProcessorId port, Time at) const {
    const RequestQueue& queue = ports_[port].queue;
    for (std::size_t n = 0; n < queue.size(); ++n) {
        check_loaded_request(queue[n], at);
        const TransactionKind kind = queue[n].kind;
        require(kind != TransactionKind::read_exclusive && kind != TransactionKind::upgrade &&
                    kind != TransactionKind::unlock && !queue[n].ends_lock &&
                    (kind != TransactionKind::write_back || n == 0 ||
                     queue[n - 1].kind == TransactionKind::write_back),
                "port {} requests a {} that there is not on nodes", port, name(kind));
    }
}

// A request that is under way is at one place, and is that of the port.
void Nodes::check_loaded_transaction(ProcessorId port, const std::vector<Message>& places) const {
    const Transaction& transaction = transactions_[port];
    require(index(transaction.kind) < kTransactionKinds, "the transaction of port {} is of kind {}",
            port, index(transaction.kind));
    require(index(transaction.supplier) < kSuppliers, "the line of port {} is from {}", port,
            index(transaction.supplier));
    const bool under_way = under_way_.contains(port);
    require(places.size() == (under_way ? 1 : 0) && (!under_way || !ports_[port].queue.empty()),
            "the request of port {} is at {} places", port, places.size());
    if (!under_way) return;
    const TransactionKind asked = head(port).kind, kind = transaction.kind;
    const bool decided = is_store(asked) && !is_io(asked);
    require(decided ? kind == TransactionKind::read_exclusive || kind == TransactionKind::upgrade
                    : kind == asked,
            "a {} of port {} is done by a {}", name(asked), port, name(kind));
    const Message expected = message(port), &found = places.front();
    const bool stores = expected.kind == MessageKind::get_owned;
    const bool stores_too =
        found.kind != MessageKind::get_shared && found.kind != MessageKind::copy;
    require(found.cause == expected.cause && found.activity == expected.activity &&
                found.block == expected.block && stores == stores_too,
            "the request of port {} is for {:#x}, and asks for {:#x}", port, expected.block,
            found.block);
}

// A cache has lines that its node knows of. It stores to those that it owns, and not while it asks
// for that.
bool Nodes::lets_have(ProcessorId port, Address line, bool writable) const {
    const NodeBlock* const block = nodes_[node_of(port)]->find(block_of(line));
    if (!block) return false;
    const LineCopies& copies =
        block->lines[(line & (config_.block_bytes - 1)) / config_.line_bytes];
    const unsigned place = port % config_.node_processors;
    if ((copies.holders >> place & 1) == 0) return false;
    const bool asks = under_way_.contains(port) && is_store(head(port).kind) &&
                      line_of(head(port).address) == line;
    return !writable || (block->state == NodeState::owned && copies.owner == place && !asks);
}

}  // namespace symsim
