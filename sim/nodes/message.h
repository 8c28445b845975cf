// SPDX-License-Identifier: MIT
// A message between two nodes, or between a node and the home in it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"

namespace symsim {

using NodeId = std::uint8_t;
constexpr NodeId kNoNode = 0xff;

enum class MessageKind : std::uint8_t {
    // from a node to a home
    get_shared,
    get_owned,
    upgrade,  // as get_owned; the sender has a copy
    put,      // with the block
    answer,   // to share, give or drop
    answer_with_block,
    // from a home to a node
    copy,       // with the block
    ownership,  // without it: the receiver has a copy
    ownership_with_block,
    share,
    give,
    drop,
    put_done,
};
constexpr std::array<std::string_view, 13> kMessageKindNames = {
    "get_shared", "get_owned", "upgrade",
    "put",        "answer",    "answer_with_block",
    "copy",       "ownership", "ownership_with_block",
    "share",      "give",      "drop",
    "put_done"};

constexpr std::string_view name(MessageKind kind) {
    return kMessageKindNames[index(kind)];
}
// Whether the message carries the block.
constexpr bool carries_block(MessageKind kind) {
    return kind == MessageKind::put || kind == MessageKind::answer_with_block ||
           kind == MessageKind::copy || kind == MessageKind::ownership_with_block;
}
constexpr bool is_ownership(MessageKind kind) {
    return kind == MessageKind::ownership || kind == MessageKind::ownership_with_block;
}
constexpr bool is_request(MessageKind kind) {
    return kind <= MessageKind::upgrade;
}
constexpr bool is_to_home(MessageKind kind) {
    return kind <= MessageKind::answer_with_block;
}

struct Message {
    MessageKind kind = MessageKind::get_shared;
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

}  // namespace symsim
