// SPDX-License-Identifier: MIT
#include "sim/image/written_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace symsim {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // a file may be one hole
constexpr const char* kDamaged =
    "the program has destroyed the kernel's table of them; what can be read of it is there";
constexpr std::size_t kMostPathBytes = 4095;  // of the host
constexpr std::uint64_t kMostFileBytes = std::uint64_t{TABLES} * TABLE_PAGES * GUEST_PAGE_BYTES;

std::uint32_t pages(std::uint32_t bytes) {
    return bytes / GUEST_PAGE_BYTES + (bytes % GUEST_PAGE_BYTES != 0 ? 1 : 0);
}

// A name that does not lead out of its folder.
bool is_plain(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

WrittenFiles::WrittenFiles(const Image& image, const Memory& memory)
    : memory_(memory),
      above_(image.linked_above),
      nodes_left_(memory.size() / sizeof(handoff::node)),
      bytes_left_(kMostBytes) {
    handoff::program program;
    handoff::node root;
    if (image.linux_program == 0 || !load(image.linux_program + above_, program)) return;
    if (program.root != 0 && load(program.root, root)) add_children(root.children, "");
    // No file is a folder too.
    for (auto file = files_.begin(); file != files_.end();) {
        const auto inside = files_.lower_bound(file->first + "/");
        const bool is_folder =
            inside != files_.end() && inside->first.rfind(file->first + "/", 0) == 0;
        if (is_folder) leave_out(kDamaged);
        file = is_folder ? files_.erase(file) : std::next(file);
    }
}

void WrittenFiles::leave_out(const std::string& why) {
    if (missing_.empty()) missing_ = why;
}

// The bytes at an address of the kernel; null if not all of them are in memory.
const std::uint8_t* WrittenFiles::find(Address address, std::uint64_t count) const {
    const Address place = address - above_;
    const bool inside = place <= memory_.size() && count <= memory_.size() - place;
    return inside ? memory_.data() + place : nullptr;
}

template <class T>
bool WrittenFiles::load(Address address, T& to) {
    const std::uint8_t* const from = find(address, sizeof to);
    if (from != nullptr)
        std::memcpy(&to, from, sizeof to);
    else
        leave_out(kDamaged);
    return from != nullptr;
}

// No more nodes than memory has room for: a list may have become a ring.
void WrittenFiles::add_children(Address child, const std::string& folder) {
    handoff::node node;
    for (; child != 0; child = node.next) {
        if (nodes_left_ == 0) return leave_out(kDamaged);
        if (!load(child, node)) return;
        --nodes_left_;
        add(node, folder);
    }
}

void WrittenFiles::add(const handoff::node& node, const std::string& folder) {
    const std::string name(node.name, strnlen(node.name, sizeof node.name));
    const std::string path = folder + name;
    const std::uint32_t type = node.mode & TYPE_BITS;
    if (!is_plain(name) || path.size() > kMostPathBytes)
        leave_out(kDamaged);
    else if (type == TYPE_FOLDER)
        add_children(node.children, path + "/");
    else if (type == TYPE_REGULAR && node.written != 0)
        add_file(node, path);
}

void WrittenFiles::add_file(const handoff::node& node, const std::string& path) {
    if (node.bytes > kMostFileBytes) return leave_out(kDamaged);
    if (node.bytes > bytes_left_)
        return leave_out(
            fmt::format("{} and perhaps others are not there: all together have more "
                        "than {} MB",
                        path, kMostBytes >> 20));
    bytes_left_ -= node.bytes;
    if (!files_.emplace(path, node).second) leave_out(kDamaged);
}

void WrittenFiles::read(const handoff::node& file,
                        const std::function<void(std::string_view)>& take) const {
    static const std::string zeros(GUEST_PAGE_BYTES, '\0');
    for (std::uint32_t page = 0; page < pages(file.bytes); ++page) {
        Address at = 0;
        if (page < pages(file.given_bytes)) {
            at = file.given + page * GUEST_PAGE_BYTES;
        } else if (const Address table = file.tables[page / TABLE_PAGES]; table != 0) {
            const std::uint8_t* const slot = find(table + page % TABLE_PAGES * 4, 4);
            if (slot != nullptr) std::memcpy(&at, slot, 4);
        }
        const std::uint8_t* const bytes = at != 0 ? find(at, GUEST_PAGE_BYTES) : nullptr;
        const std::uint32_t count =
            std::min(GUEST_PAGE_BYTES, file.bytes - page * GUEST_PAGE_BYTES);
        take(bytes != nullptr ? std::string_view(reinterpret_cast<const char*>(bytes), count)
                              : std::string_view(zeros).substr(0, count));
    }
}

}  // namespace symsim
