// SPDX-License-Identifier: MIT
// Granted reads whose replies have not been sent yet, in the order in which their data are ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"

namespace symsim {

class PendingReplies {
  public:
    struct Reply {
        Time ready;
        ProcessorId port;
        std::uint32_t io_value;
        Request request;
    };

    // Among replies that are ready at the same time, the first granted goes first. There are few,
    // so moving them one by one takes less time than vector::insert().
    void add(const Reply& reply) {
        std::size_t place = replies_.size();
        replies_.push_back(reply);
        for (; place > 0 && replies_[place - 1].ready <= reply.ready; --place)
            replies_[place] = replies_[place - 1];
        replies_[place] = reply;
    }
    // When the next reply is ready, or kNever.
    Time next_ready() const { return replies_.empty() ? kNever : replies_.back().ready; }
    Reply take_next() {
        const Reply next = replies_.back();
        replies_.pop_back();
        return next;
    }
    // Takes the reply with this place in all().
    Reply take(std::size_t place) {
        const Reply taken = replies_[place];
        replies_.erase(replies_.begin() + static_cast<std::ptrdiff_t>(place));
        return taken;
    }

    const std::vector<Reply>& all() const { return replies_; }  // the next one is last

  private:
    std::vector<Reply> replies_;
};

}  // namespace symsim
