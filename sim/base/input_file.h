// SPDX-License-Identifier: MIT
// A file that the user names as an input. Only regular files are read, and only up to a limit: a
// device, a FIFO or a file that is large by mistake must not fill the host's memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace symsim {

bool is_file(const std::filesystem::path& path);

class InputFile {
  public:
    // Opens the file. `what` names it in messages, such as "guest image"; `fix` says what the user
    // can do. Throws UserError if there is no such file, or it is not regular, or not readable.
    InputFile(std::filesystem::path path, std::string what, std::string fix);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    // The whole file. Throws UserError if it has more than `most` bytes.
    std::string text(std::uint64_t most) const;
    std::vector<std::uint8_t> bytes(std::uint64_t most) const;

  private:
    template <class Bytes>
    Bytes read(std::uint64_t most) const;
    std::size_t read_at(std::uint64_t offset, void* to, std::size_t count) const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    std::string what_;
    std::string fix_;
    int file_ = -1;
};

}  // namespace symsim
