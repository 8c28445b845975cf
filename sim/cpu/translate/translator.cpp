// SPDX-License-Identifier: MIT
// The records of a block's instructions, and which flags they must compute.
#include "sim/cpu/translate/translator.h"

#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

constexpr unsigned kPageShift = 12;

// From the last instruction to the first: what may end the block reads the flags.
void find_flags_read(std::vector<BlockItem>& block) {
    bool read = true;
    for (std::size_t n = block.size(); n-- > 0;) {
        BlockItem& item = block[n];
        item.flags_read = read;
        if (sets_all_flags(item.shape)) read = false;
        if (is_direct_jump(item.shape) || loads(item.shape) || item.enters) read = true;
    }
}

std::size_t item_of(const std::vector<BlockItem>& block, const Op* op) {
    std::size_t n = 0;
    while (n < block.size() && block[n].op != op) ++n;
    return n;
}

// Whether a jump with a distance of 32 bits can lead from one place to the other, and to what
// follows it.
bool reaches(const std::uint8_t* from, const std::uint8_t* to) {
    constexpr std::ptrdiff_t kFar = std::ptrdiff_t{1} << 30;
    return to - from < kFar && from - to < kFar;
}

std::uint8_t segment_bit(const BlockItem& item) {
    if (!loads(item.shape)) return 0;
    const bool pops = item.shape.mnemonic == ZYDIS_MNEMONIC_POP;
    return static_cast<std::uint8_t>(1u << (pops ? ss : item.op->segment));
}

}  // namespace

bool Translator::begins(const Op& jump) {
    Page& page = pages_[jump.address >> kPageShift];
    return CodeMemory::available() && page.drops < kMostDrops && page.loops.insert(&jump).second;
}

bool Translator::translate(std::vector<BlockItem>& block, const Op& after,
                           const HostLayout& layout) {
    constexpr std::size_t kMostBytes = 64 * 1024;
    CodeRoom room = code_.room(kMostBytes);
    if (!room.begin) return false;
    if (code_.chunk() != chunk_) {
        chunk_ = code_.chunk();
        shared_ = emit_shared(room, layout);
        code_.use(room);
        room = code_.room(kMostBytes);
    }
    describe(block, after, layout);
    find_flags_read(block);
    const std::vector<Link> links =
        emit_block(room, layout, block, records_.back().back(), shared_);
    code_.use(room);
    Page& page = pages_[block.front().op->address >> kPageShift];
    for (const BlockItem& item : block) {
        if (is_direct_jump(item.shape)) continue;
        item.op->fast = execute_translated;
        item.op->translated = item.translated;
        page.ops.push_back(item.op);
        ++translated_;
    }
    page.links.insert(page.links.end(), links.begin(), links.end());
    connect(page, layout);
    return true;
}

// Links jumps whose targets are translated by now.
void Translator::connect(Page& page, const HostLayout& layout) {
    constexpr std::size_t kMostBytes = 256;
    std::vector<Link> left;
    for (const Link& link : page.links) {
        const bool possible = link.target->fast == execute_translated &&
                              accesses_no_other(*link.target->translated, link.segments);
        CodeRoom room = possible ? code_.room(kMostBytes) : CodeRoom{};
        if (room.begin && code_.chunk() == chunk_ && reaches(link.place, room.begin)) {
            emit_link(room, layout, link);
            code_.use(room);
        } else {
            left.push_back(link);
        }
    }
    page.links.swap(left);
}

// Makes the records. The last one is of the instruction after the block.
void Translator::describe(std::vector<BlockItem>& block, const Op& after,
                          const HostLayout& layout) {
    const Clock clock(layout.clock_period);
    std::vector<Translated>& records = records_.emplace_back(block.size() + 1);
    Time offset = 0;
    std::uint8_t segments = 1u << ds | 1u << ss;  // of most blocks: so blocks can be linked
    std::uint32_t last_offset = 0;
    for (std::size_t n = 0; n < block.size(); ++n) {
        BlockItem& item = block[n];
        item.translated = &records[n];
        item.target_item = item.target ? item_of(block, item.target) : block.size();
        records[n].op = item.op;
        records[n].alone = item.alone;
        records[n].offset = last_offset = static_cast<std::uint32_t>(offset);
        records[n].number = static_cast<std::uint8_t>(n);
        if (item.shape.condition != kNoCondition) records[n].taken_clocks = kTakenJumpClocks;
        segments |= segment_bit(item);
        offset += clock.cycles(item.op->clocks);
        if (loads(item.shape)) offset += layout.hit_wait;
    }
    Translated& end = records.back();
    end.op = &after;
    end.offset = static_cast<std::uint32_t>(offset);
    end.number = static_cast<std::uint8_t>(block.size());
    for (Translated& record : records) {
        record.last_offset = last_offset;
        record.segments = segments;
    }
}

void Translator::drop(Address address) {
    const auto found = pages_.find(address >> kPageShift);
    if (found == pages_.end()) return;
    found->second.loops.clear();
    if (found->second.ops.empty()) return;
    for (Op* const op : found->second.ops) {
        op->fast = op->translated->alone;
        op->translated = nullptr;
    }
    translated_ -= found->second.ops.size();
    found->second.ops.clear();
    found->second.links.clear();
    ++found->second.drops;
    if (translated_ > 0) return;
    code_.clear();
    records_.clear();
    chunk_ = nullptr;
}

}  // namespace symsim
