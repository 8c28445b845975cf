// SPDX-License-Identifier: MIT
#include "sim/cpu/code.h"

#include <algorithm>
#include <utility>

namespace symsim {

Code::Code(const Memory& memory, PlaceOf place_of, Isa isa)
    : memory_(memory),
      place_of_(std::move(place_of)),
      decoder_(isa),
      pages_((memory.size() + kPageMask) >> kPageShift) {}

Code::Page& Code::page(Address address) {
    std::unique_ptr<Page>& page = pages_[address >> kPageShift];
    if (!page) page = std::make_unique<Page>();
    return *page;
}

Op* Code::slot(Address address) {
    Op*& place =
        address < memory_.size() ? page(address).slots[address & kPageMask] : outside_[address];
    if (!place) {
        place = &ops_.emplace_back();
        place->address = address;
    }
    return place;
}

const Op* Code::decode(Address address) {
    Op* const op = slot(address);
    // Outside memory nothing is ever written.
    if (op->execute) return op;
    const std::uint64_t left = address < memory_.size() ? memory_.size() - address : 0;
    const std::size_t available = std::min<std::uint64_t>(left, ZYDIS_MAX_INSTRUCTION_LENGTH);
    if (auto complaint =
            decoder_.decode(memory_.data() + (available ? address : 0), available, *op))
        op->complaint = &complaints_.emplace_back(std::move(*complaint));
    const Place place = place_of_(address);
    op->region = place.region;
    op->probed = place.probed;
    op->next = slot(op->end);
    if (available) cover(*op);
    return op;
}

void Code::cover(const Op& op) {
    const Address end = static_cast<Address>(std::min<std::uint64_t>(op.end, memory_.size()));
    for (Address a = op.address; a < end; ++a)
        page(a).covered[(a & kPageMask) / 64] |= std::uint64_t{1} << (a & 63);
}

bool Code::covered(Address address, unsigned size) const {
    for (unsigned n = 0; n < size; ++n) {
        const Address a = address + n;
        const Page* page = pages_[a >> kPageShift].get();
        if (page && page->covered[(a & kPageMask) / 64] >> (a & 63) & 1) return true;
    }
    return false;
}

// Ops that begin before the written bytes may reach into them.
void Code::forget(Address address, unsigned size) {
    if (!covered(address, size)) return;
    constexpr Address kReach = ZYDIS_MAX_INSTRUCTION_LENGTH - 1;
    for (Address a = address < kReach ? 0 : address - kReach; a < address + size; ++a) {
        const Page* page = pages_[a >> kPageShift].get();
        Op* const op = page ? page->slots[a & kPageMask] : nullptr;
        if (op && op->end > address) op->execute = nullptr;
    }
}

}  // namespace symsim
