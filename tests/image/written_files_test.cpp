// SPDX-License-Identifier: MIT
// The files of a Linux program, as they are read from the guest's memory, also from one that the
// guest has destroyed.
#include "sim/image/written_files.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace symsim::test {
namespace {

constexpr Address kHandedOver = 0x2000;
constexpr Address kAbove = 0xC000'0000;  // where the kernel maps memory

class WrittenFilesTest : public ::testing::Test {
  protected:
    WrittenFilesTest() {
        image_.linux_program = kHandedOver;
        image_.linked_above = kAbove;
        handoff::program head = {};
        head.root = put(kFolder);
        std::memcpy(memory_.data() + kHandedOver, &head, sizeof head);
        root_ = head.root;
    }
    static constexpr std::uint32_t kFolder = 0040755, kFile = 0100644;

    std::uint8_t* bytes_at(Address address) { return memory_.data() + (address - kAbove); }
    handoff::node& at(Address address) {
        return *reinterpret_cast<handoff::node*>(bytes_at(address));
    }
    Address put(std::uint32_t mode, const std::string& name = "", Address folder = 0) {
        const Address address = next_;
        next_ += 0x400;
        handoff::node& made = at(address);
        made = {};
        made.mode = mode;
        made.written = 1;
        std::memcpy(made.name, name.data(), std::min<std::size_t>(name.size(), NAME_BYTES));
        if (folder == 0) return address;
        made.next = at(folder).children;
        at(folder).children = address;
        return address;
    }
    Address page(char byte) {
        const Address address = next_page_;
        next_page_ += 0x1000;
        std::memset(bytes_at(address), byte, 0x1000);
        return address;
    }
    // "PATH:CONTENTS;" with equal bytes in a row as one.
    std::string found() {
        const WrittenFiles written(image_, memory_);
        missing_ = written.missing();
        std::string all;
        for (const auto& [path, file] : written.files()) {
            std::string bytes;
            written.read(file, [&](std::string_view part) { bytes += part; });
            EXPECT_EQ(bytes.size(), file.bytes);
            bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
            for (char& c : bytes) c = c == 0 ? '0' : c;
            all += path + ":" + bytes + ";";
        }
        return all;
    }

    Image image_;
    Memory memory_{1 << 20};
    Address root_ = 0, next_ = kAbove + 0x4000, next_page_ = kAbove + 0x80000;
    std::string missing_;
};

TEST_F(WrittenFilesTest, AreThoseThatTheProgramHasWritten) {
    const Address tmp = put(kFolder, "tmp", root_);
    handoff::node& file = at(put(kFile, "out", tmp));
    file.bytes = 3 * 4096 + 10;
    file.given = page('g');
    file.given_bytes = 4096;
    file.tables[0] = page(0);
    const Address second = page('s'), last = page('l');
    std::memcpy(bytes_at(file.tables[0]) + 4, &second, 4);
    std::memcpy(bytes_at(file.tables[0]) + 12, &last, 4);
    at(put(kFile, "given", root_)).written = 0;
    put(kFile, "empty", root_);
    put(0120777, "link", root_);
    EXPECT_EQ(found(), "empty:;tmp/out:gs0l;");
    EXPECT_EQ(missing_, "");
}

TEST_F(WrittenFilesTest, ABareProgramHasNone) {
    put(kFile, "out", root_);
    image_.linux_program = 0;
    EXPECT_EQ(found(), "");
    EXPECT_EQ(missing_, "");
}

TEST_F(WrittenFilesTest, ANameDoesNotLeadOut) {
    const std::string long_name(NAME_BYTES, 'n');  // without its NUL
    for (const char* name : {"..", ".", "", "../a", "/etc"}) {
        put(kFile, name, root_);
        put(kFile, "b", put(kFolder, name, root_));
    }
    put(kFile, long_name, root_);
    put(kFile, "good", root_);
    EXPECT_EQ(found(), "good:;" + long_name + ":;");
    EXPECT_NE(missing_, "");
}

TEST_F(WrittenFilesTest, ADestroyedTreeIsReadAsFarAsItGoes) {
    const Address ring = put(kFile, "ring", root_);
    at(ring).next = ring;
    EXPECT_EQ(found(), "ring:;");
    EXPECT_NE(missing_, "");
    at(ring).next = 0xffff'fff0;
    EXPECT_EQ(found(), "ring:;");
    EXPECT_NE(missing_, "");
    at(ring).next = 0;
    at(ring).bytes = 0xffff'ffff;
    EXPECT_EQ(found(), "");
    EXPECT_NE(missing_, "");
    at(ring).bytes = 10000;
    at(ring).tables[0] = 0xffff'fffd;
    at(ring).given = 0xffff'f000;
    at(ring).given_bytes = 5000;
    EXPECT_EQ(found(), "ring:0;");
    const Address folder = put(kFolder, "ring", root_);
    put(kFile, "inside", folder);
    EXPECT_EQ(found(), "ring/inside:;");
    EXPECT_NE(missing_, "");
    at(folder).children = folder;  // a folder in itself
    found();
    EXPECT_NE(missing_, "");
}

TEST_F(WrittenFilesTest, HolesDoNotFillTheDisk) {
    for (int i = 0; i < 10; ++i)
        at(put(kFile, std::to_string(i), root_)).bytes = TABLES * TABLE_PAGES * 4096;
    const WrittenFiles written(image_, memory_);
    EXPECT_EQ(written.files().size(), 4u);
    EXPECT_NE(written.missing().find("more than 1024 MB"), std::string::npos);
}

TEST_F(WrittenFilesTest, AnyBytesAreReadWithoutHarm) {
    const Address folder = put(kFolder, "a", root_);
    for (int i = 0; i < 5; ++i) put(kFile, std::to_string(i), folder);
    const std::vector<std::uint8_t> good(memory_.data(), memory_.data() + memory_.size());
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        std::copy(good.begin(), good.end(), memory_.data());
        for (int i = 0; i < 200; ++i)
            memory_.data()[kHandedOver + random() % (next_ - kAbove - kHandedOver)] =
                static_cast<std::uint8_t>(random());
        const WrittenFiles found(image_, memory_);
        for (const auto& [path, file] : found.files())
            EXPECT_EQ(("/" + path + "/").find("/../"), std::string::npos) << path;
    }
}

}  // namespace
}  // namespace symsim::test
