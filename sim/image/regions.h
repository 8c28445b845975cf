// SPDX-License-Identifier: MIT
// What code is for, by the output section it lies in: the guest says it by placing its functions,
// and no instruction is spent on it (design.md section 5).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/processor/activity.h"

namespace symsim {

struct CodeSection;  // sim/image/image.h

// ".text.spin" and every name that begins so is spin; likewise threads, critical, idle, kernel and
// boot. Any other name is user.
Activity activity_of_section(std::string_view name);

class Regions {
  public:
    Regions() = default;
    explicit Regions(const std::vector<CodeSection>& sections);

    // Asked once per instruction decoded. User outside every section.
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
