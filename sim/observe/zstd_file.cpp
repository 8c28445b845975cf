// SPDX-License-Identifier: MIT
#include "sim/observe/zstd_file.h"

#include <new>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {
namespace {

// The fastest of the regular levels, because a trace must keep up with the run.
constexpr int kLevel = 1;

std::size_t checked(std::size_t result) {
    if (ZSTD_isError(result) != 0) impossible("zstd: {}", ZSTD_getErrorName(result));
    return result;
}

}  // namespace

ZstdFile::ZstdFile(std::filesystem::path path)
    : file_(std::move(path)), context_(ZSTD_createCCtx()), compressed_(ZSTD_CStreamOutSize(), 0) {
    if (!context_) throw std::bad_alloc();
    checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel));
    checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1));
}

void ZstdFile::compress(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool more = true; more && !failed();) {
        ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
        const std::size_t left =
            checked(ZSTD_compressStream2(context_.get(), &out, &in, directive));
        file_.write(std::string_view(compressed_.data(), out.pos));
        more = directive == ZSTD_e_end ? left != 0 : in.pos < in.size;
    }
}

}  // namespace symsim
