// SPDX-License-Identifier: MIT
// A file that appears under its name only when it is complete: it is written as NAME.part, and
// commit() renames it. If NAME exists and is not a regular file (/dev/stdout, a pipe), it is
// written in place.
//
// write() never throws. The file keeps the first error, and commit() throws it. A trace can
// therefore be written from code that must not throw.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/sha256.h"

namespace symsim {

// A complete file, as the manifest of a run lists it.
struct WrittenFile {
    std::string name;  // without the folder
    std::size_t bytes = 0;
    std::string sha256;
};

class OutputFile {
  public:
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();  // removes NAME.part unless it was committed
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text) {
        if (text.size() > kBufferBytes - used_) return write_in_parts(text);
        std::memcpy(buffer_.get() + used_, text.data(), text.size());
        used_ += text.size();
    }
    bool failed() const { return error_ != 0; }
    std::size_t bytes() const { return flushed_ + used_; }
    const std::filesystem::path& path() const { return path_; }

    // Takes this much room on the disk now, so that a disk that fills up later cannot prevent the
    // file. Called before the first write(). Throws OutputError if there is not so much room.
    void reserve(std::size_t bytes);
    // Flushes, closes and renames the file. Throws OutputError with the path, the cause and the
    // fix. Empty: the file is a device or pipe, which keeps no contents.
    std::optional<WrittenFile> commit();

  private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    void write_in_parts(std::string_view text);
    void flush();
    void close();
    void check() const;  // throws OutputError if there was an error
    bool in_place() const { return written_ == path_; }

    std::filesystem::path path_;
    std::filesystem::path written_;  // path_ itself, or the temporary name
    int descriptor_ = -1;
    int error_ = 0;            // errno of the first failure
    std::size_t flushed_ = 0;  // bytes written from the buffer so far
    std::size_t used_ = 0;     // bytes in the buffer
    std::size_t reserved_ = 0;
    Sha256 sha256_;  // of the flushed bytes
    std::unique_ptr<char[]> buffer_;
};

// Writes and commits a file with this text. Throws OutputError.
std::optional<WrittenFile> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace symsim
