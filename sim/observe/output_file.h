// SPDX-License-Identifier: MIT
// A file that appears under its name only when it is whole: written as NAME.part, then renamed.
// The first error is kept and thrown by commit(), so that a trace may be written from places
// where nothing can be thrown. What is not a regular file (/dev/stdout, a pipe) is written in
// place.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace symsim {

class OutputFile {
  public:
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();  // what was not committed is removed
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    bool failed() const { return error_ != 0; }
    std::size_t bytes() const { return bytes_; }
    const std::filesystem::path& path() const { return path_; }

    // Flushes, closes and renames. Throws OutputError with the file, the cause and the fix.
    void commit();

  private:
    void flush();
    void close();

    std::filesystem::path path_;
    std::filesystem::path written_;  // path_ itself, or the temporary name
    int descriptor_ = -1;
    int error_ = 0;  // errno of the first failure
    std::size_t bytes_ = 0;
    std::string buffer_;
};

// The whole file in one go.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace symsim
