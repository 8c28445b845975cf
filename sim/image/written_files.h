// SPDX-License-Identifier: MIT
// The files that a Linux program has written, from the kernel's tree of names in the guest's memory
// (guest/linux/program.h). The guest may have destroyed it, so nothing of it is trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/image/handoff.h"
#include "sim/image/image.h"
#include "sim/interconnect/memory.h"

namespace symsim {

class WrittenFiles {
  public:
    // There are none if the image is not a Linux program.
    WrittenFiles(const Image& image, const Memory& memory);

    // Sorted by the path inside, without the first slash.
    const std::map<std::string, handoff::node>& files() const { return files_; }
    // Why files() does not have all; empty if it has.
    const std::string& missing() const { return missing_; }

    // Calls `take` with all bytes of the file, part by part.
    void read(const handoff::node& file, const std::function<void(std::string_view)>& take) const;

  private:
    void leave_out(const std::string& why);
    const std::uint8_t* find(Address address, std::uint64_t count) const;
    template <class T>
    bool load(Address address, T& to);
    void add_children(Address child, const std::string& folder);
    void add(const handoff::node& node, const std::string& folder);
    void add_file(const handoff::node& node, const std::string& path);

    const Memory& memory_;
    const Address above_;  // the kernel's addresses are so much above those of memory
    std::uint64_t nodes_left_;
    std::uint64_t bytes_left_;
    std::string missing_;
    std::map<std::string, handoff::node> files_;
};

}  // namespace symsim
