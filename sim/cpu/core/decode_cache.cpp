// SPDX-License-Identifier: MIT
// Decodes instructions ahead of their execution, links them, and empties those whose bytes are
// written.
#include "sim/cpu/core/decode_cache.h"

#include <algorithm>
#include <utility>

#include "sim/cpu/isa/delay_loop.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

DecodeCache::DecodeCache(const Memory& memory, PlaceOf place_of, Isa isa, std::uint32_t line_bytes)
    : memory_(memory), place_of_(std::move(place_of)), decoder_(isa, line_bytes) {}

DecodeCache::Page& DecodeCache::page(Pages& pages, Address address) {
    std::unique_ptr<Page>& page = pages[address >> kPageShift];
    if (!page) page = std::make_unique<Page>();
    watch_page_of(address);
    return *page;
}

Op* DecodeCache::slot(Address address, bool wide) {
    Pages& pages = pages_[wide];
    if (pages.empty()) {
        pages.resize((memory_.size() + kPageMask) >> kPageShift);
        set_memory_size(memory_.size());
    }
    Op*& place = address < memory_.size() ? page(pages, address).slots[address & kPageMask]
                                          : outside_[wide][address];
    if (!place) {
        place = new_op(address);
        place->address = address;
    }
    return place;
}

Op* DecodeCache::new_op(Address address) {
    if (!place_of_(address).probes.empty()) return &probed_ops_.emplace_back();
    if (left_ == 0) {
        ops_.emplace_back();
        left_ = kBlock;
    }
    return &ops_.back()[kBlock - left_--];
}

// Decodes an instruction and those after it on the same page, in memory order. Most of them will be
// needed too. An op that is not needed stays until its bytes are written.
const Op* DecodeCache::decode(Address address, bool wide) {
    Op* const first = slot(address, wide);
    Op* op = first;
    std::array<Op*, kRun> run;
    std::size_t length = 0;
    while (length < kRun && op && !op->execute) {
        run[length++] = op;
        if (!decode_one(*op, wide)) break;
        op = on_page_of(op->address, op->last + 1, wide);
    }
    for (std::size_t n = 0; n < length; ++n) link_successors(*run[n], wide);
    return first;
}

// False: the bytes are not an instruction of this processor (Op::complaint says why), or the guest
// may not execute them.
bool DecodeCache::decode_one(Op& op, bool wide) {
    const Address address = op.address;
    const std::uint64_t left = address < memory_.size() ? memory_.size() - address : 0;
    const std::size_t available = std::min<std::uint64_t>(left, ZYDIS_MAX_INSTRUCTION_LENGTH);
    const CodeAttributes place = place_of_(address);
    std::optional<Complaint> complaint;
    if (place.loaded)
        complaint =
            decoder_.decode(memory_.data() + (available ? address : 0), available, wide, op);
    else
        refuse(op);
    if (complaint) op.complaint = &complaints_.emplace_back(std::move(*complaint));
    op.region = place.region;
    op.entry = static_cast<std::uint8_t>(place.region);
    op.simple = !op.locked;
    if (!keeps_activity(op, place)) op.fast = leave_to_execute;
    tell(op);
    if (available) cover(pages_[wide], op);
    return !complaint && place.loaded;
}

void DecodeCache::tell(Op& op) const {
    const Handler tells = tells_calls_ ? telling(op.execute) : nullptr;
    if (tells == nullptr) return;
    op.execute = tells;
    op.fast = leave_to_execute;
}

// Its bytes do not matter. With a length of 1 the op never extends to another page.
void DecodeCache::refuse(Op& op) {
    Op fresh;
    fresh.address = fresh.last = op.address;
    fresh.execute = execute_outside;
    fresh.length = 1;
    fresh.components = 1;
    fresh.dwords = 1;
    fresh.in_one_line = true;
    op = fresh;
}

// Sets the op's successors: the next op and, for a relative branch, the target. Only a jump that
// closes a delay loop keeps its role. Then adds the op's probe points.
void DecodeCache::link_successors(Op& op, bool wide) {
    const Address after = op.last + 1;
    op.next = on_page_of(op.address, after, wide);
    if (!op.next) op.fast = leave_to_execute;
    if (op.relative) op.target = on_page_of(op.address, after + op.immediate, wide);
    if (op.in_loop == InLoop::repeats && !delay_loop_of(op).counter) op.in_loop = InLoop::other;
    const ProbeRange probes = place_of_(op.address).probes;
    if (!probes.empty()) static_cast<ProbedOp&>(op).put_before(probes);
}

// Whether the op and the byte before it belong to the same activity. The fast path does not compare
// activities between instructions in sequence.
bool DecodeCache::keeps_activity(const Op& op, const CodeAttributes& place) const {
    return place_of_(op.address - 1).region == place.region &&
           place_of_(op.last).region == place.region;
}

// The op at `address`, which must be on the page of `here`; else null. Beyond the page, the next
// page in linear addresses may be another one than the next in memory.
Op* DecodeCache::on_page_of(Address here, Address address, bool wide) {
    return here >> kPageShift == address >> kPageShift ? slot(address, wide) : nullptr;
}

void DecodeCache::cover(Pages& pages, const Op& op) {
    const Address end =
        static_cast<Address>(std::min<std::uint64_t>(std::uint64_t{op.last} + 1, memory_.size()));
    for (Address a = op.address; a < end; ++a)
        page(pages, a).covered[(a & kPageMask) / 64] |= std::uint64_t{1} << (a & 63);
}

bool DecodeCache::covers_bytes(Address address, unsigned size) const {
    for (const Pages& pages : pages_)
        if (!pages.empty() && covered(pages, address, size)) return true;
    return false;
}

void DecodeCache::bytes_written(Address address, unsigned size) {
    for (Pages& pages : pages_)
        if (!pages.empty()) forget(pages, address, size);
}

bool DecodeCache::covered(const Pages& pages, Address address, unsigned size) {
    for (unsigned n = 0; n < size; ++n) {
        const Address a = address + n;
        const Page* page = pages[a >> kPageShift].get();
        if (page && page->covered[(a & kPageMask) / 64] >> (a & 63) & 1) return true;
    }
    return false;
}

// Empties the ops that contain written bytes. An op that begins before those bytes may reach into
// them.
void DecodeCache::forget(Pages& pages, Address address, unsigned size) {
    if (!covered(pages, address, size)) return;
    constexpr Address kReach = ZYDIS_MAX_INSTRUCTION_LENGTH - 1;
    for (Address a = address < kReach ? 0 : address - kReach; a < address + size; ++a) {
        const Page* page = pages[a >> kPageShift].get();
        Op* const op = page ? page->slots[a & kPageMask] : nullptr;
        if (!op || !op->execute || op->last < address) continue;
        op->empty();
        if (op->probed()) static_cast<ProbedOp*>(op)->instruction.empty();
    }
}

}  // namespace symsim
