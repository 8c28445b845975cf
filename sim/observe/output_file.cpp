// SPDX-License-Identifier: MIT
#include "sim/observe/output_file.h"

#include "sim/base/failure.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

namespace symsim {
namespace {

// What the user can do about an error; `error` is an errno.
const char* fix_for(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "free some space, or choose a folder on another disk with --out";
        case EACCES:
        case EPERM:
        case EROFS:
            return "make the folder writable, or choose another with --out";
        case ENOENT:
        case ENOTDIR:
            return "create the folder, or choose another with --out";
        case EISDIR:
            return "a folder of that name is in the way: remove it, or choose --out";
        default:
            return "choose another folder with --out";
    }
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), written_(path_), buffer_(new char[kBufferBytes]) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path_, unknown);
    const bool in_place =
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (!in_place) written_ += ".part";
    descriptor_ = ::open(written_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) error_ = errno;
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    if (written_ != path_) ::unlink(written_.c_str());
}

void OutputFile::write_in_parts(std::string_view text) {
    while (!text.empty()) {
        if (used_ == kBufferBytes) flush();
        const std::string_view part = text.substr(0, kBufferBytes - used_);
        std::memcpy(buffer_.get() + used_, part.data(), part.size());
        used_ += part.size();
        text.remove_prefix(part.size());
    }
}

void OutputFile::flush() {
    std::string_view rest(buffer_.get(), used_);
    while (error_ == 0 && !rest.empty()) {
        const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
        if (n >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    flushed_ += used_;
    used_ = 0;
}

void OutputFile::close() {
    // A device or pipe has nothing to synchronise: fsync() fails with EINVAL, ENOTSUP or EROFS.
    if (error_ == 0 && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP &&
        errno != EROFS) {
        error_ = errno;
    }
    if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
    descriptor_ = -1;
}

void OutputFile::commit() {
    if (descriptor_ >= 0) {
        flush();
        close();
        const bool temporary = written_ != path_;
        if (temporary && error_ == 0 && std::rename(written_.c_str(), path_.c_str()) != 0) {
            error_ = errno;
        }
        if (temporary && error_ != 0) ::unlink(written_.c_str());
    }
    if (error_ != 0) {
        throw OutputError(fmt::format("cannot write {}: {}; {}", path_.string(),
                                      std::generic_category().message(error_), fix_for(error_)));
    }
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace symsim
