// SPDX-License-Identifier: MIT
// Finds the source line of a code address, from the DWARF line tables in the guest's ELF file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class SourceLines {
  public:
    // `file` is a whole ELF file. Without line tables, or with damaged ones, no address has a line.
    explicit SourceLines(std::vector<std::uint8_t> file);
    ~SourceLines();
    SourceLines(const SourceLines&) = delete;
    SourceLines& operator=(const SourceLines&) = delete;

    // "guest/workloads/counter.c:34"; empty if the line is not known.
    std::string at(Address address) const;

  private:
    struct Tables;
    std::vector<std::uint8_t> file_;
    std::unique_ptr<Tables> tables_;  // null: none
};

}  // namespace symsim
