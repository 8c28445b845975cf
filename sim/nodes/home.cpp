// SPDX-License-Identifier: MIT
#include "sim/nodes/home.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

namespace {
constexpr std::uint32_t bit(NodeId node) {
    return std::uint32_t{1} << node;
}
}  // namespace

Directory::Directory(const NodesConfig& config, std::uint64_t memory_bytes,
                     const PagePlacement& placement, MemoryBanks& banks, Ring& ring,
                     StepQueue& steps, const HomeProtocol& protocol)
    : protocol_(protocol),
      placement_(placement),
      banks_(banks),
      ring_(ring),
      steps_(steps),
      buffer_(config.home_buffer),
      entries_(memory_bytes, config.block_bytes) {}

DirectoryEntry& Directory::entry(Address block) {
    DirectoryEntry initial;
    initial.owner = placement_.home(block);
    return entries_.of(block, initial);
}

// A request that does not find the block at home any more is sent on to where it is now.
void Directory::receive(const Message& message, Time now) {
    const NodeId home = placement_.home(message.block);
    if (is_request(message.kind) && message.to != home) return ring_.forward(message, home, now);
    DirectoryEntry& found = entry(message.block);
    if (found.moves) return wait(message, now);
    switch (message.kind) {
        case MessageKind::read:
        case MessageKind::read_exclusive:
        case MessageKind::upgrade:
            return proceed(found, HomeEvent::request, message, now);
        case MessageKind::write_back:
            return proceed(found, HomeEvent::write_back, message, now);
        case MessageKind::ack:
        case MessageKind::ack_with_block:
            if (found.awaited == 0)
                impossible("home {} gets an answer about {:#x} that it does not await", message.to,
                           message.block);
            found.request.hops = std::max(found.request.hops, message.hops);
            found.request.from_owner |= message.from_owner;
            return proceed(found, --found.awaited == 0 ? HomeEvent::last_ack : HomeEvent::ack,
                           message, now);
        default:
            impossible("home {} gets a message {}", message.to, name(message.kind));
    }
}

void Directory::moved(Address block, Time now) {
    entry(block).moves = false;
    resume(block, now);
}

void Directory::looked_up(Address block, Time now) {
    DirectoryEntry& found = entry(block);
    const Message request = found.request;
    const bool others =
        found.state == HomeState::looking_owned || (found.sharers & ~bit(request.from)) != 0;
    proceed(found,
            request.kind == MessageKind::read ? HomeEvent::looked_up_load
            : others                          ? HomeEvent::looked_up_store
                                              : HomeEvent::looked_up_alone,
            request, now);
}

void Directory::proceed(DirectoryEntry& entry, HomeEvent event, const Message& message, Time now) {
    const HomeRow* const row = protocol_.find(entry.state, event);
    if (!row)
        impossible("home {}: {} of {:#x} by node {} in state {}", placement_.home(message.block),
                   kHomeEventNames[index(event)], message.block, message.from,
                   kHomeStateNames[index(entry.state)]);
    entry.state = row->next;
    act(entry, row->action, message, now);
    if (!is_transient(row->next) && row->action != HomeAction::wait && !entry.moves)
        resume(message.block, now);
}

void Directory::act(DirectoryEntry& entry, HomeAction action, const Message& message, Time now) {
    switch (action) {
        case HomeAction::look_up:
            entry.request = message;
            steps_.add(banks_.read(message.to, message, now), NodeStep::What::looked_up, message);
            return;
        case HomeAction::wait:
            return wait(message, now);
        case HomeAction::reply_shared:
            if (entry.owner != kNoNode) entry.sharers |= bit(entry.owner);
            entry.owner = kNoNode;
            entry.sharers |= bit(entry.request.from);
            return send_block(entry, MessageKind::shared_reply, now);
        case HomeAction::reply_exclusive: {
            const bool has_copy = entry.request.kind == MessageKind::upgrade &&
                                  (entry.sharers & bit(entry.request.from)) != 0;
            entry.owner = entry.request.from;
            entry.sharers = 0;
            entry.moves = placement_.follows_owner();
            return send_block(
                entry, has_copy ? MessageKind::exclusive_ack : MessageKind::exclusive_reply, now);
        }
        case HomeAction::intervene_shared:
        case HomeAction::intervene_exclusive:
            entry.awaited = 1;
            return ask(entry,
                       action == HomeAction::intervene_shared ? MessageKind::shared_intervention
                                                              : MessageKind::exclusive_intervention,
                       entry.owner, now);
        case HomeAction::invalidate: {
            const std::uint32_t others = entry.sharers & ~bit(entry.request.from);
            entry.awaited = static_cast<std::uint8_t>(__builtin_popcount(others));
            entry.sharers &= bit(entry.request.from);
            for (std::uint32_t left = others; left != 0; left &= left - 1)
                ask(entry, MessageKind::invalidate, static_cast<NodeId>(__builtin_ctz(left)), now);
            return;
        }
        case HomeAction::none:
            return;
        case HomeAction::take_back: {
            if (entry.owner != message.from)
                impossible("node {} gives back {:#x}, which node {} owns", message.from,
                           message.block, entry.owner);
            entry.owner = kNoNode;
            banks_.write(message.to, message, now);
            Message done = message;
            done.kind = MessageKind::write_back_ack;
            std::swap(done.from, done.to);
            return ring_.send(done, now);
        }
    }
}

void Directory::wait(const Message& request, Time now) {
    if (!has_room(request)) return ring_.send_round(request, now);
    waiting_.push_back(request);
}

// Requests of the home's own processors do not occupy the buffer.
bool Directory::has_room(const Message& request) const {
    if (request.from == request.to) return true;
    const auto in_buffer = [&](const Message& m) { return m.to == request.to && m.from != m.to; };
    return std::count_if(waiting_.begin(), waiting_.end(), in_buffer) < std::int64_t{buffer_};
}

// Answers the request that is served.
void Directory::send_block(DirectoryEntry& entry, MessageKind kind, Time now) {
    Message reply = entry.request;
    reply.kind = kind;
    std::swap(reply.from, reply.to);
    ring_.send(reply, now);
}

// Asks a node that has a copy, for the request that is served.
void Directory::ask(const DirectoryEntry& entry, MessageKind kind, NodeId node, Time now) {
    Message question = entry.request;
    question.kind = kind;
    question.from = entry.request.to;
    question.to = node;
    ring_.send(question, now);
}

// The block is in a stable state: the request that has waited longest is served. Those that wait
// where the block was at home before are sent on to where it is now.
void Directory::resume(Address block, Time now) {
    const NodeId home = placement_.home(block);
    for (std::size_t n = 0; n < waiting_.size();) {
        const Message message = waiting_[n];
        if (message.block != block) {
            ++n;
            continue;
        }
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
        if (message.to == home) return proceed(entry(block), HomeEvent::request, message, now);
        ring_.forward(message, home, now);
    }
}

}  // namespace symsim
