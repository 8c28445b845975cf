// SPDX-License-Identifier: MIT
// The stores of one processor that are under way, and the cache port that they occupy: from the
// posting of a store until its completion.
//
//     push()                 performed(complete)          complete
//     |<--- in the buffer ------>|<------- free_from() ------>|
//     |<------------------ the cache port is occupied ------->|
//
// A store that brings its line leaves the buffer when the line arrives: made_in_cache().
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/cache.h"
#include "sim/cache/write_buffer.h"

namespace symsim {

class StorePort {
  public:
    // Whether no store occupies the port at `at`.
    bool free(Time at) const { return at >= free_from_; }
    // kNever: not known yet, since a store in the buffer has not been performed.
    Time free_from() const { return free_from_; }
    // When all stores that have left the buffer are complete.
    Time complete_at() const { return complete_at_; }
    const WriteBuffer& buffer() const { return buffer_; }

    // A store is posted.
    void push(Address address, unsigned size, std::uint32_t value) {
        buffer_.push(address, size, value);
        free_from_ = kNever;
    }
    // The processor waits until the store that it has just posted is complete, and then asks again.
    void await_last() { awaited_ = true; }
    // Whether that store has been posted and the processor has not asked again.
    bool awaited() const { return awaited_; }
    // The processor asks again.
    void take_awaited() { awaited_ = false; }
    // The newest store has been rolled back.
    void withdraw() {
        buffer_.withdraw();
        awaited_ = false;
        buffer_changed();
    }

    // The oldest store has been performed over the interconnect.
    void performed(Time complete) {
        buffer_.pop();
        complete_at_ = complete;
        buffer_changed();
        arriving_ = Line::kNoAddress;
    }
    // The oldest store has been granted and needs its line, which is on its way.
    void await_line() { awaits_line_ = true; }
    bool awaits_line() const { return awaits_line_; }
    // The line for the oldest store is about to arrive.
    void line_arrives(Address line) { arriving_ = line; }
    // The oldest store has been made in an own line at `at`.
    void made_in_cache(Time at) {
        buffer_.pop();
        awaits_line_ = false;
        complete_at_ = at;
        buffer_changed();
    }
    // Whether this line is being brought for a store: its reply is under way, and has not arrived
    // at `at`.
    bool arriving(Address line, Time at) const { return at < complete_at_ && line == arriving_; }

  private:
    void buffer_changed() { free_from_ = buffer_.empty() ? complete_at_ : kNever; }

    Time free_from_ = 0;
    Time complete_at_ = 0;
    Address arriving_ = Line::kNoAddress;  // the line brought for the last store granted
    bool awaited_ = false;
    bool awaits_line_ = false;
    WriteBuffer buffer_;
};

}  // namespace symsim
