// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4). The results contain the digest of the guest image, so that each result can
// be traced to the exact bytes that ran; the manifest of a run has the digest of each result file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace symsim {

// The digest of bytes that are added piece by piece.
class Sha256 {
  public:
    Sha256();
    void add(std::string_view bytes);
    // 64 hexadecimal digits, as sha256sum prints them. No add() may follow.
    std::string digest();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// The digest of all these bytes.
std::string sha256(const std::vector<std::uint8_t>& bytes);

}  // namespace symsim
