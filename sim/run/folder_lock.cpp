// SPDX-License-Identifier: MIT
#include "sim/run/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "sim/base/failure.h"
#include "sim/base/host_calls.h"

namespace symsim {

namespace {

std::string holder_of(int descriptor) {
    std::array<char, 32> text;
    const ssize_t read =
        uninterrupted([&] { return ::pread(descriptor, text.data(), text.size(), 0); });
    const std::string number(text.data(), read > 0 ? static_cast<std::size_t>(read) : 0);
    const std::size_t digits = number.find_first_not_of("0123456789");
    if (digits == 0 || number.empty()) return "another process";
    return "process " + number.substr(0, digits);
}

// False: the holder has removed the file between our open() and our flock().
bool is_still_there(int descriptor, const std::filesystem::path& file) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / ".symsim.lock") {
    for (take(folder); !is_still_there(descriptor_, file_); take(folder)) ::close(descriptor_);
    // Only the message to a second run needs the number, so a full disk is no reason to stop.
    const std::string text = fmt::format("{}\n", ::getpid());
    if (::ftruncate(descriptor_, 0) != 0) return;
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, text.data(), text.size(), 0);
}

void FolderLock::take(const std::filesystem::path& folder) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0)
        throw OutputError(
            fmt::format("cannot write {}: {}; make the folder writable, or choose another with "
                        "--out",
                        file_.string(), std::generic_category().message(errno)));
    // Some network file systems have no locks. There, two runs are not told apart.
    if (uninterrupted([&] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0 ||
        errno != EWOULDBLOCK)
        return;
    const std::string holder = holder_of(descriptor_);
    ::close(descriptor_);
    throw UserError(
        fmt::format("{}: {} writes its results into this folder; wait for it, or choose another "
                    "folder with --out",
                    folder.string(), holder));
}

// Removed while it is locked: whoever opens the file before gets another file than the one named.
FolderLock::~FolderLock() {
    ::unlink(file_.c_str());
    ::close(descriptor_);
}

}  // namespace symsim
