// SPDX-License-Identifier: MIT
#include "sim/base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/host_calls.h"

namespace symsim {

namespace {

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

}  // namespace

bool is_file(const std::filesystem::path& path) {
    std::error_code error;  // no exception for a path that the host cannot look up
    return std::filesystem::is_regular_file(path, error);
}

// Without O_NONBLOCK, open() would wait for a FIFO's writer.
InputFile::InputFile(std::filesystem::path path, std::string what, std::string fix)
    : path_(std::move(path)), what_(std::move(what)), fix_(std::move(fix)) {
    struct stat status;
    if (stat(path_.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) refuse("there is no such file");
        refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    if (!S_ISREG(status.st_mode))
        refuse(fmt::format("is {} and not a file", kind_of(status.st_mode)));
    file_ = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file_ < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
}

InputFile::~InputFile() {
    if (file_ >= 0) close(file_);
}

std::string InputFile::text(std::uint64_t most) const {
    return read<std::string>(most);
}

std::vector<std::uint8_t> InputFile::bytes(std::uint64_t most) const {
    return read<std::vector<std::uint8_t>>(most);
}

// A file may grow while it is read, and files of /proc have no size: so the end of the file counts,
// and the limit is checked twice.
template <class Bytes>
Bytes InputFile::read(std::uint64_t most) const {
    struct stat status;
    if (fstat(file_, &status) != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const auto check = [&](std::uint64_t found) {
        if (found > most) refuse(fmt::format("has {} bytes, and at most {} are read", found, most));
    };
    check(size);
    constexpr std::size_t kPiece = 1 << 16;
    Bytes all;
    all.reserve(size);
    for (;;) {
        const std::size_t before = all.size();
        all.resize(before + std::max<std::size_t>(size > before ? size - before : 0, kPiece));
        const std::size_t got = read_at(before, all.data() + before, all.size() - before);
        const bool ended = got < all.size() - before;
        all.resize(before + got);
        check(all.size());
        if (ended) return all;
    }
}

std::size_t InputFile::read_at(std::uint64_t offset, void* to, std::size_t count) const {
    std::size_t all = 0;
    while (all < count) {
        const ssize_t got = uninterrupted([&] {
            return pread(file_, static_cast<char*>(to) + all, count - all,
                         static_cast<off_t>(offset + all));
        });
        if (got < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (got == 0) break;
        all += static_cast<std::size_t>(got);
    }
    return all;
}

void InputFile::refuse(const std::string& why) const {
    throw UserError(fmt::format("{} {}: {}; {}", what_, path_.string(), why, fix_));
}

}  // namespace symsim
