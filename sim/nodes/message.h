// SPDX-License-Identifier: MIT
// A message between two nodes, or between a node and the home in it. The names are those of the SGI
// Origin (Laudon and Lenoski, "The SGI Origin: a ccNUMA highly scalable server", ISCA 1997).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

using NodeId = std::uint8_t;
constexpr NodeId kNoNode = 0xff;

enum class MessageKind : std::uint8_t {
    // from a node to a home
    read,
    read_exclusive,
    upgrade,     // as read_exclusive; the sender has a copy
    write_back,  // with the block
    ack,         // of an intervention or an invalidate
    ack_with_block,
    // from a home to a node
    shared_reply,     // with the block
    exclusive_ack,    // to an upgrade: the receiver has the block and becomes its owner
    exclusive_reply,  // with the block: the receiver becomes its owner
    shared_intervention,
    exclusive_intervention,
    invalidate,
    write_back_ack,
};
constexpr std::array<std::string_view, 13> kMessageKindNames = {"read",
                                                                "read_exclusive",
                                                                "upgrade",
                                                                "write_back",
                                                                "ack",
                                                                "ack_with_block",
                                                                "shared_reply",
                                                                "exclusive_ack",
                                                                "exclusive_reply",
                                                                "shared_intervention",
                                                                "exclusive_intervention",
                                                                "invalidate",
                                                                "write_back_ack"};

constexpr std::string_view name(MessageKind kind) {
    return kMessageKindNames[index(kind)];
}
// Whether the message carries the block.
constexpr bool carries_block(MessageKind kind) {
    return kind == MessageKind::write_back || kind == MessageKind::ack_with_block ||
           kind == MessageKind::shared_reply || kind == MessageKind::exclusive_reply;
}
constexpr bool is_exclusive(MessageKind kind) {
    return kind == MessageKind::exclusive_ack || kind == MessageKind::exclusive_reply;
}
constexpr bool is_request(MessageKind kind) {
    return kind <= MessageKind::upgrade;
}
constexpr bool is_to_home(MessageKind kind) {
    return kind <= MessageKind::ack_with_block;
}

struct Message {
    MessageKind kind = MessageKind::read;
    NodeId from = 0;
    NodeId to = 0;
    // The transaction that the message belongs to; its uses of links count for that processor.
    TransactionKind cause = TransactionKind::read;
    Activity activity = Activity::boot;
    ProcessorId port = 0;
    Address block = 0;
    std::uint8_t hops = 0;    // links taken so far, by this message and those that led to it
    bool from_owner = false;  // the block is from a node that had modified it, not from its home
};

// The use of a resource that the message makes, from its posting at `now` on.
inline BusUse use_of(const Message& message, Time now) {
    BusUse use;
    use.posted = now;
    use.processor = message.port;
    use.kind = message.cause;
    use.activity = message.activity;
    use.reply = true;
    use.address = message.block;
    return use;
}
}  // namespace symsim
