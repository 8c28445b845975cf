// SPDX-License-Identifier: MIT
#include "sim/image/static_probes.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <string_view>

namespace symsim {
namespace {

using boost::endian::load_little_u32;

constexpr std::string_view kOwner("stapsdt\0", 8);
constexpr std::uint32_t kType = 3;
constexpr std::size_t kHeader = 12;     // sizes of owner and contents, type
constexpr std::size_t kAddresses = 12;  // of the probe, of .stapsdt.base as linked, of a semaphore

std::size_t padded(std::size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

// Takes the text up to `end`, which may be missing, from the front.
std::string take(std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    std::string part(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

// Where the section is, which tools that move the code move with it; 0: there is none.
Address base_of(const ElfFile& elf) {
    for (const ElfFile::Section& section : elf.sections())
        if (section.name == ".stapsdt.base") return static_cast<Address>(section.header.sh_addr);
    return 0;
}

StaticProbe parsed(std::string_view contents, Address base) {
    const auto* words = reinterpret_cast<const std::uint8_t*>(contents.data());
    StaticProbe probe;
    probe.address = load_little_u32(words);
    if (base != 0) probe.address += base - load_little_u32(words + 4);
    contents.remove_prefix(kAddresses);
    probe.name = take(contents, '\0');
    probe.name += ":" + take(contents, '\0');
    const std::string all = take(contents, '\0');
    std::string_view arguments = all;
    while (!arguments.empty())
        if (std::string one = take(arguments, ' '); !one.empty()) probe.arguments.push_back(one);
    return probe;
}

}  // namespace

std::vector<StaticProbe> read_static_probes(const ElfFile& elf) {
    const std::vector<std::uint8_t> bytes = elf.contents(".note.stapsdt");
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Address base = base_of(elf);
    std::vector<StaticProbe> probes;
    for (std::size_t at = 0; at < all.size();) {
        const auto word = [&](std::size_t n) { return load_little_u32(bytes.data() + at + 4 * n); };
        const bool whole = all.size() - at >= kHeader;
        const std::uint64_t owner = whole ? padded(word(0)) : 0;
        if (!whole || kHeader + owner + word(1) > all.size() - at)
            elf.fail("a note in .note.stapsdt is cut off; link the program again");
        const std::string_view contents = all.substr(at + kHeader + owner, word(1));
        if (word(2) == kType && all.substr(at + kHeader, word(0)) == kOwner) {
            if (contents.size() < kAddresses)
                elf.fail("a note in .note.stapsdt has no addresses; link the program again");
            probes.push_back(parsed(contents, base));
        }
        at += kHeader + owner + padded(word(1));
    }
    return probes;
}

}  // namespace symsim
