// SPDX-License-Identifier: MIT
// What a guest may access: which pages are closed to it, where its code is, and which activity each
// part of the code is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/types.h"
#include "sim/image/image.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// Whether the first page is closed.
bool closes_first_page(const Image& image);

// Closes the pages that a guest linked with symsim's library never uses on purpose. An access there
// ends the run, without a check that would cost the guest or the fast path anything.
//
//   - The first page, where null pointers lead. guest/boot/guest.ld links from 1 MB on.
//   - A guard page in each processor's stack, above the processor's struct cpu. Images whose stacks
//     have no room for it do not have the symbol symsim_stack_bytes (guest/boot/start.S).
//
// Guests without the library, among them ROMs, use memory as they like.
void close_pages(const Image& image, unsigned processors, Memory& memory);

// The code that the simulator has loaded: the executable segments of the guest's image. A processor
// that executes anywhere else has followed a wild pointer, unless the guest makes code of its own.
class LoadedCode {
  public:
    // `anywhere`: the guest may execute all of memory that is open to it.
    LoadedCode(const Image& image, bool anywhere) : anywhere_(anywhere) {
        first_ = closes_first_page(image) ? kPage : 0;
        for (const LoadSegment& segment : image.segments)
            if (segment.executable) ranges_.emplace_back(segment.address, segment.memory_size);
    }
    // Whether the guest may execute the instruction that begins at a physical address.
    bool contains(Address address) const {
        if (anywhere_) return address >= first_;
        return std::any_of(ranges_.begin(), ranges_.end(),
                           [=](const auto& range) { return address - range.first < range.second; });
    }

  private:
    static constexpr Address kPage = 4096;

    bool anywhere_;
    Address first_ = 0;
    std::vector<std::pair<Address, std::uint32_t>> ranges_;  // address and bytes
};

// Maps code addresses to activities by the ELF output section that the code is in. The guest marks
// a function by placing it in such a section, so marking costs no instruction
// (docs/how-to/programs.md).
// A name that begins with ".text.spin" is spin; likewise threads, critical, idle, kernel and boot.
// Any other name is user.
Activity activity_of_section(std::string_view name);

class Regions {
  public:
    Regions() = default;
    explicit Regions(const std::vector<CodeSection>& sections);

    // Asked once per decoded instruction. Addresses outside all sections are user.
    Activity activity_at(Address address) const;

  private:
    struct Region {
        Address begin;
        std::uint64_t end;
        Activity activity;
    };
    std::vector<Region> regions_;  // sorted by begin
};

}  // namespace symsim
