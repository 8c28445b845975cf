// SPDX-License-Identifier: MIT
// Instructions decoded once per physical address, for all processors.
//
// A page of code is an array of pointers, one per byte, to ops that never move: finding one is two
// loads, and Op::next may point straight to the op behind. They lie in the order in which they are
// executed, most often, which the host's cache sees: whoever needs one has those behind it decoded
// as well, before any that a branch leads to. An op is emptied (execute = null), never removed,
// when its bytes are written; whoever comes to it next has it decoded again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"
#include "sim/cpu/core/probes.h"
#include "sim/cpu/isa/decoder.h"
#include "sim/cpu/isa/op.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/memory.h"
#include "sim/processor/activity.h"

namespace symsim {

// What the image says of an address.
struct Place {
    Activity region = Activity::user;
    ProbeRange probes;
};

class DecodeCache final : public CodePageWatch {
  public:
    using PlaceOf = std::function<Place(Address)>;

    DecodeCache(const Memory& memory, PlaceOf place_of, Isa isa, std::uint32_t line_bytes);

    // The op at an address, decoded for a code segment of 32 or 16 bits. Its own address never
    // changes.
    const Op* at(Address address, bool wide) {
        const Op* const op = known(address, wide);
        return op ? op : decode(address, wide);
    }
    // The same, null if it has not been decoded.
    const Op* known(Address address, bool wide) const {
        const Pages& pages = pages_[wide];
        const std::size_t page = address >> kPageShift;
        if (page >= pages.size() || !pages[page]) return nullptr;
        const Op* const op = pages[page]->slots[address & kPageMask];
        return op && op->execute ? op : nullptr;
    }
    // One whose bytes do not lie together in memory; it is not kept here.
    std::optional<Complaint> decode_apart(const std::uint8_t* bytes, std::size_t count, bool wide,
                                          Op& op) const {
        return decoder_.decode(bytes, count, wide, op);
    }

  private:
    struct Page {
        std::array<Op*, 1u << kPageShift> slots{};
        // Bytes that belong to ops, perhaps emptied ones.
        std::array<std::uint64_t, (1u << kPageShift) / 64> covered{};
    };

    static constexpr std::size_t kBlock = 1024;
    static constexpr std::size_t kRun = 64;  // ops decoded in one go, at most
    using Pages = std::vector<std::unique_ptr<Page>>;

    bool covers_bytes(Address address, unsigned size) const override;
    void bytes_written(Address address, unsigned size) override;
    const Op* decode(Address address, bool wide);
    bool decode_one(Op& op, bool wide);
    void link_successors(Op& op, bool wide);
    bool keeps_activity(const Op& op, const Place& place) const;
    Op* slot(Address address, bool wide);
    Op* new_op(Address address);
    Op* on_page_of(Address here, Address address, bool wide);
    Page& page(Pages& pages, Address address);
    void cover(Pages& pages, const Op& op);
    static bool covered(const Pages& pages, Address address, unsigned size);
    static void forget(Pages& pages, Address address, unsigned size);

    const Memory& memory_;
    PlaceOf place_of_;
    Decoder decoder_;
    // Each for 16-bit and 32-bit code; that for 16 bits has no pages before it is used.
    std::array<Pages, 2> pages_;
    std::array<std::unordered_map<Address, Op*>, 2> outside_;  // of memory
    std::deque<std::array<Op, kBlock>> ops_;
    std::size_t left_ = 0;  // in the last block
    std::deque<ProbedOp> probed_ops_;
    std::deque<Complaint> complaints_;
};

}  // namespace symsim
