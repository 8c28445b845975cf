// SPDX-License-Identifier: MIT
#include "sim/run/folder_lock.h"

#include <sys/file.h>
#include <unistd.h>

#include "sim/base/failure.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;
using FolderLockTest = testing::InFolder;

TEST_F(FolderLockTest, ASecondRunIsRefusedAndToldWhoHasTheFolder) {
    const FolderLock lock(folder_);
    try {
        const FolderLock second(folder_);
        ADD_FAILURE() << "two runs have one folder";
    } catch (const UserError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(folder_.string()), std::string::npos) << text;
        EXPECT_NE(text.find("process " + std::to_string(getpid())), std::string::npos) << text;
        EXPECT_NE(text.find("--out"), std::string::npos) << text;
    }
}

TEST_F(FolderLockTest, TheFolderIsFreeAfterwardsAndTheFileIsGone) {
    { const FolderLock lock(folder_); }
    EXPECT_TRUE(fs::is_empty(folder_));
    const FolderLock again(folder_);
    EXPECT_FALSE(fs::is_empty(folder_));
}

// kill -9 leaves the file, whose lock the kernel has released.
TEST_F(FolderLockTest, AFileThatNoProcessHoldsIsNoLock) {
    std::ofstream(folder_ / ".symsim.lock") << "123456\n";
    { const FolderLock lock(folder_); }
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FolderLockTest, AFolderThatCannotBeWrittenIsReported) {
    EXPECT_THROW(FolderLock(folder_ / "none"), OutputError);
}

}  // namespace
}  // namespace symsim
