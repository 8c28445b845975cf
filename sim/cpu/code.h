// SPDX-License-Identifier: MIT
// Instructions decoded once per physical address, for all processors.
//
// A page of code is an array of pointers, one per byte, to ops that lie in a deque in the order in
// which they were first needed and never move: finding one is two loads, and Op::next may point
// straight to the op behind. An op is emptied (execute = null), never removed, when its bytes are
// written; whoever comes to it next has it decoded again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"
#include "sim/bus/memory.h"
#include "sim/bus/write_watch.h"
#include "sim/cpu/decoder.h"
#include "sim/cpu/op.h"

namespace symsim {

// What the image says of an address.
struct Place {
    Activity region = Activity::user;
    bool probed = false;
};

class Code final : public WriteWatch {
  public:
    using PlaceOf = std::function<Place(Address)>;

    Code(const Memory& memory, PlaceOf place_of, Isa isa);

    // The op at an address, decoded. Its own address never changes. Where there is no memory it
    // is one that ends the run.
    const Op* at(Address address) {
        const std::size_t page = address >> kPageShift;
        if (page < pages_.size() && pages_[page]) {
            const Op* op = pages_[page]->slots[address & kPageMask];
            if (op && op->execute) return op;
        }
        return decode(address);
    }

    // Memory has been written. Next to free where there is no code on the page.
    void written(Address address, unsigned size) override {
        const std::size_t first = address >> kPageShift;
        const std::size_t last = (address + size - 1) >> kPageShift;
        if (last < pages_.size() && (pages_[first] || pages_[last])) forget(address, size);
    }

    bool covers(Address address, unsigned size) const override {
        const std::size_t first = address >> kPageShift;
        const std::size_t last = (address + size - 1) >> kPageShift;
        return last < pages_.size() && (pages_[first] || pages_[last]) && covered(address, size);
    }

  private:
    static constexpr unsigned kPageShift = 12;
    static constexpr Address kPageMask = (1u << kPageShift) - 1;

    struct Page {
        std::array<Op*, 1u << kPageShift> slots{};
        // Bytes that belong to ops, perhaps emptied ones.
        std::array<std::uint64_t, (1u << kPageShift) / 64> covered{};
    };

    const Op* decode(Address address);
    Op* slot(Address address);
    Page& page(Address address);
    void cover(const Op& op);
    bool covered(Address address, unsigned size) const;
    void forget(Address address, unsigned size);

    const Memory& memory_;
    PlaceOf place_of_;
    Decoder decoder_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::unordered_map<Address, Op*> outside_;  // of memory
    std::deque<Op> ops_;
    std::deque<Complaint> complaints_;
};

}  // namespace symsim
