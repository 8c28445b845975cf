// SPDX-License-Identifier: MIT
#include "sim/observe/output_file.h"

#include "sim/base/failure.h"
#include "sim/base/host_calls.h"

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
        case EFBIG:
            return "raise the limit on file sizes (ulimit -f), or choose a folder on another disk "
                   "with --out";
        default:
            return "choose another folder with --out";
    }
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), written_(path_), buffer_(new char[kBufferBytes]) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path_, unknown);
    const bool device =
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (!device) written_ += ".part";
    descriptor_ = uninterrupted(
        [&] { return ::open(written_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); });
    if (descriptor_ < 0) error_ = errno;
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    if (!in_place()) ::unlink(written_.c_str());
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
        const ssize_t n =
            uninterrupted([&] { return ::write(descriptor_, rest.data(), rest.size()); });
        if (n >= 0)
            rest.remove_prefix(static_cast<std::size_t>(n));
        else
            error_ = errno;
    }
    if (error_ == 0) sha256_.add({buffer_.get(), used_});
    flushed_ += used_;
    used_ = 0;
}

void OutputFile::reserve(std::size_t bytes) {
    if (in_place()) return;
    // It returns the error, which may be EINTR, and not -1.
    while (error_ == 0 &&
           (error_ = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes))) == EINTR)
        error_ = 0;
    // Not every file system can reserve room.
    if (error_ == EOPNOTSUPP || error_ == EINVAL || error_ == ENODEV) error_ = 0;
    reserved_ = bytes;
    check();
}

void OutputFile::close() {
    if (error_ == 0 && flushed_ < reserved_ &&
        uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(flushed_)); }) !=
            0) {
        error_ = errno;
    }
    // A device or pipe has nothing to synchronise: fsync() fails with EINVAL, ENOTSUP or EROFS.
    if (error_ == 0 && uninterrupted([&] { return ::fsync(descriptor_); }) != 0 &&
        errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
        error_ = errno;
    }
    if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
    descriptor_ = -1;
}

std::optional<WrittenFile> OutputFile::commit() {
    if (descriptor_ >= 0) {
        flush();
        close();
        if (!in_place() && error_ == 0 && std::rename(written_.c_str(), path_.c_str()) != 0) {
            error_ = errno;
        }
        if (!in_place() && error_ != 0) ::unlink(written_.c_str());
    }
    check();
    if (in_place()) return std::nullopt;
    return WrittenFile{path_.filename().string(), flushed_, sha256_.digest()};
}

void OutputFile::check() const {
    if (error_ != 0) {
        throw OutputError(fmt::format("cannot write {}: {}; {}", path_.string(),
                                      std::generic_category().message(error_), fix_for(error_)));
    }
}

std::optional<WrittenFile> write_file(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    return file.commit();
}

}  // namespace symsim
