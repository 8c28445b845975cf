// SPDX-License-Identifier: MIT
// Source lines of a guest's code, from the DWARF line tables in its ELF file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class SourceLines {
  public:
    // `file` is a whole ELF file. One without line tables, or with damaged ones, is as good: it has
    // no lines.
    explicit SourceLines(std::vector<std::uint8_t> file);
    ~SourceLines();
    SourceLines(const SourceLines&) = delete;
    SourceLines& operator=(const SourceLines&) = delete;

    // "guest/workloads/counter.c:34", or empty if it is not known.
    std::string at(Address address) const;

  private:
    struct Tables;
    std::vector<std::uint8_t> file_;
    std::unique_ptr<Tables> tables_;  // null: none
};

}  // namespace symsim
