// SPDX-License-Identifier: MIT
// The decode cache: each instruction is decoded once per physical address, for all processors.
// InstructionFetch::find() asks for the op at eip with at().
//
// For each page of code there is an array with a pointer to an op for each byte. Ops never move in
// host memory, so finding one takes two loads, and Op::next can point to the following op. When an
// instruction is decoded, those after it are decoded too, before the targets of any branches. So
// ops usually lie in host memory in the order of their execution, which suits the host's cache.
//
// A write to an op's bytes empties the op (execute = null) and never removes it. The next processor
// that reaches the op has it decoded again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/types.h"
#include "sim/cpu/core/probes.h"
#include "sim/cpu/isa/decoder.h"
#include "sim/cpu/isa/op.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// What the guest image says about an address.
struct CodeAttributes {
    Activity region = Activity::user;
    ProbeRange probes;
    bool loaded = true;  // the guest may execute it
};

class DecodeCache final : public CodePageWatch {
  public:
    using PlaceOf = std::function<CodeAttributes(Address)>;

    DecodeCache(const Memory& memory, PlaceOf place_of, Isa isa, std::uint32_t line_bytes);

    // The op at a physical address, decoded for a code segment of 32 bits (`wide`) or 16 bits. The
    // op itself never moves in host memory.
    const Op* at(Address address, bool wide) {
        const Op* const op = known(address, wide);
        return op ? op : decode(address, wide);
    }
    // The same op; null if it has not been decoded.
    const Op* known(Address address, bool wide) const {
        const Pages& pages = pages_[wide];
        const std::size_t page = address >> kPageShift;
        if (page >= pages.size() || !pages[page]) return nullptr;
        const Op* const op = pages[page]->slots[address & kPageMask];
        return op && op->execute ? op : nullptr;
    }
    // From now on calls and returns are reported by marks. They cannot take the fast path then.
    void tell_calls() { tells_calls_ = true; }
    void tell(Op& op) const;
    // Decodes an instruction whose bytes are not contiguous in memory, without keeping the op.
    std::optional<Complaint> decode_apart(const std::uint8_t* bytes, std::size_t count, bool wide,
                                          Op& op) const {
        return decoder_.decode(bytes, count, wide, op);
    }

  private:
    struct Page {
        std::array<Op*, 1u << kPageShift> slots{};
        // A bit for each byte that belongs to an op. The op may have been emptied since.
        std::array<std::uint64_t, (1u << kPageShift) / 64> covered{};
    };

    static constexpr std::size_t kBlock = 1024;
    static constexpr std::size_t kRun = 64;  // most ops decoded at once
    using Pages = std::vector<std::unique_ptr<Page>>;

    bool covers_bytes(Address address, unsigned size) const override;
    void bytes_written(Address address, unsigned size) override;
    const Op* decode(Address address, bool wide);
    bool decode_one(Op& op, bool wide);
    static void refuse(Op& op);  // makes it an op that fails
    void link_successors(Op& op, bool wide);
    bool keeps_activity(const Op& op, const CodeAttributes& place) const;
    Op* slot(Address address, bool wide);
    Op* new_op(Address address);
    Op* on_page_of(Address here, Address address, bool wide);
    Page& page(Pages& pages, Address address);
    void cover(Pages& pages, const Op& op);
    static bool covered(const Pages& pages, Address address, unsigned size);
    void forget(Pages& pages, Address address, unsigned size);

    const Memory& memory_;
    PlaceOf place_of_;
    Decoder decoder_;
    bool tells_calls_ = false;
    // By `wide`: the pages of 16-bit code and those of 32-bit code. Each vector is empty until it
    // is first used.
    std::array<Pages, 2> pages_;
    std::array<std::unordered_map<Address, Op*>, 2> outside_;  // ops outside memory
    std::deque<std::array<Op, kBlock>> ops_;
    std::size_t left_ = 0;  // ops not yet used in the last block
    std::deque<ProbedOp> probed_ops_;
    std::deque<Complaint> complaints_;
};

}  // namespace symsim
