// SPDX-License-Identifier: MIT
#include "sim/image/standard_input.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sim/base/failure.h"
#include "sim/base/sha256.h"

namespace symsim {

StandardInput load_standard_input(const std::filesystem::path& path) {
    if (path.empty()) return {};
    std::ifstream in(path, std::ios::binary);
    StandardInput input;
    input.bytes.assign(std::istreambuf_iterator<char>(in), {});
    if (!in.is_open() || in.bad())
        throw UserError(
            fmt::format("guest.stdin: {} cannot be read; check its permissions", path.string()));
    input.sha256 = sha256(input.bytes);
    return input;
}

}  // namespace symsim
