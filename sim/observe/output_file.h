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
#include <string_view>

namespace symsim {

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

    // Flushes, closes and renames the file. Throws OutputError with the path, the cause and the
    // fix.
    void commit();

  private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    void write_in_parts(std::string_view text);
    void flush();
    void close();

    std::filesystem::path path_;
    std::filesystem::path written_;  // path_ itself, or the temporary name
    int descriptor_ = -1;
    int error_ = 0;            // errno of the first failure
    std::size_t flushed_ = 0;  // bytes written from the buffer so far
    std::size_t used_ = 0;     // bytes in the buffer
    std::unique_ptr<char[]> buffer_;
};

// Writes and commits a file with this text. Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace symsim
