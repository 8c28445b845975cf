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

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/cache.h"

namespace symsim {

// The write buffer of one processor: stores that have left the processor and have not been
// performed, oldest first. The processor itself already sees them (store forwarding); memory and
// other processors do not.
class WriteBuffer {
  public:
    bool empty() const { return stores_.empty(); }
    std::size_t size() const { return stores_.size(); }
    void push(Address address, unsigned size, std::uint32_t value) {
        Store& store = stores_.emplace_back();
        store.address = address;
        store.size = size;
        store.value = value;
    }
    void pop() {
        if (stores_.size() == 1) return stores_.clear();
        if (stores_.empty()) impossible("a store leaves a write buffer of {} stores", size());
        stores_.erase(stores_.begin());
    }
    void withdraw() {
        if (stores_.empty()) impossible("a store is rolled back from a buffer of {}", size());
        stores_.pop_back();
    }

    // `value`, which has been read from memory, with the bytes of pending stores over it.
    std::uint32_t over(Address address, unsigned size, std::uint32_t value) const {
        for (const Store& store : stores_)
            for (unsigned byte = 0; byte < store.size; ++byte) {
                const Address offset = store.address + byte - address;
                if (offset >= size) continue;
                const unsigned shift = 8 * offset;
                value = (value & ~(0xffu << shift)) | (store.value >> 8 * byte & 0xff) << shift;
            }
        return value;
    }

    enum class Overlap { none, part, whole };
    // How much of a load the pending stores cover. If the load needs several of them, it counts as
    // a part.
    Overlap overlap(Address address, unsigned size) const {
        Overlap found = Overlap::none;
        for (const Store& store : stores_) {
            if (store.address + store.size <= address || address + size <= store.address) continue;
            const bool whole =
                store.address <= address && address + size <= store.address + store.size;
            found = whole ? Overlap::whole : Overlap::part;
        }
        return found;
    }

    bool touches(Address first, unsigned size) const {
        return overlap(first, size) != Overlap::none;
    }

  private:
    struct Store {
        Address address;
        unsigned size;
        std::uint32_t value;
    };
    boost::container::small_vector<Store, 2> stores_;  // rarely more than two
};

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
