// SPDX-License-Identifier: MIT
// Static probes of a Linux program in the form of sys/sdt.h (DTRACE_PROBE): a nop in the code, and
// a note that names it.
#pragma once

#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/image/elf_file.h"

namespace symsim {

struct StaticProbe {
    Address address = 0;  // as linked
    std::string name;     // provider:name
    std::vector<std::string>
        arguments;  // such as "-4@8(%ebp)": size, negative if signed, and place
};

// In the order of the notes. Throws UserError if one is cut off.
std::vector<StaticProbe> read_static_probes(const ElfFile& elf);

}  // namespace symsim
