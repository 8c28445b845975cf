// SPDX-License-Identifier: MIT
#include "sim/base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <new>

#include "sim/base/failure.h"

namespace symsim {

namespace {

void check(const char* function, int result) {
    if (result != 1) impossible("{} returned {}", function, result);
}

}  // namespace

void Sha256::Free::operator()(EVP_MD_CTX* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_) throw std::bad_alloc();
    check("EVP_DigestInit_ex", EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) {
    check("EVP_DigestUpdate", EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest;
    check("EVP_DigestFinal_ex", EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    std::string text;
    for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
    return text;
}

std::string sha256(const std::vector<std::uint8_t>& bytes) {
    Sha256 all;
    all.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return all.digest();
}

}  // namespace symsim
