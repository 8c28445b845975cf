// SPDX-License-Identifier: MIT
// Keeps a folder for one run: a second run into it would destroy the files of the first. The lock
// is a flock on the file .symsim.lock in the folder, which has the number of the process that holds
// it. The kernel releases a flock when the process ends, so kill -9 leaves no stale lock.
#pragma once

#include <filesystem>

namespace symsim {

class FolderLock {
  public:
    // Throws UserError if another process has the folder, OutputError if the file cannot be made.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();  // removes the file
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    void take(const std::filesystem::path& folder);

    std::filesystem::path file_;
    int descriptor_ = -1;
};

}  // namespace symsim
