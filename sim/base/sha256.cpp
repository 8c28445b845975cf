// SPDX-License-Identifier: MIT
#include "sim/base/sha256.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

namespace symsim {

std::string sha256(const std::vector<std::uint8_t>& bytes) {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest;
    SHA256(bytes.data(), bytes.size(), digest.data());
    std::string text;
    for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
    return text;
}

}  // namespace symsim
