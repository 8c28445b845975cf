// SPDX-License-Identifier: MIT
// The write buffer of one processor: stores that have left the processor and have not been
// performed, oldest first. The processor itself already sees them (store forwarding); memory and
// other processors do not.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

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

}  // namespace symsim
