// SPDX-License-Identifier: MIT
// Maps code addresses to activities by the ELF output section that the code is in. The guest marks
// a function by placing it in such a section, so marking costs no instruction
// (docs/how-to/programs.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/types.h"

namespace symsim {

struct CodeSection;  // sim/image/image.h

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
