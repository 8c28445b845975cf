// SPDX-License-Identifier: MIT
#include "sim/image/standard_input.h"

#include "sim/base/input_file.h"
#include "sim/base/sha256.h"

namespace symsim {

namespace {
// No guest has memory for more.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
}  // namespace

StandardInput load_standard_input(const std::filesystem::path& path) {
    if (path.empty()) return {};
    const InputFile file(path, "guest.stdin", "name a smaller file that you may read");
    StandardInput input;
    input.bytes = file.bytes(kMostBytes);
    input.sha256 = sha256(input.bytes);
    return input;
}

}  // namespace symsim
