// SPDX-License-Identifier: MIT
// An OutputFile that compresses its contents with zstd, as one frame with a checksum. While the
// file is being written, all but the last few 100 KB can be read from NAME.part.
#pragma once

#include <zstd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/observe/output_file.h"

namespace symsim {

class ZstdFile {
  public:
    explicit ZstdFile(std::filesystem::path path);

    // Never throws: commit() throws the error of a failed write.
    void write(std::string_view bytes) { compress(bytes, ZSTD_e_continue); }
    // Ends the frame. No write() may follow.
    void end() { compress({}, ZSTD_e_end); }
    // Throws OutputError if anything could not be written.
    std::optional<WrittenFile> commit() { return file_.commit(); }

    bool failed() const { return file_.failed(); }
    const std::filesystem::path& path() const { return file_.path(); }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    void compress(std::string_view bytes, ZSTD_EndDirective directive);

    OutputFile file_;
    std::unique_ptr<ZSTD_CCtx, Free> context_;
    std::string compressed_;
};

}  // namespace symsim
