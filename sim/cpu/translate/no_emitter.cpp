// SPDX-License-Identifier: MIT
// For hosts that no code is emitted for: CodeMemory::available() is false there.
#include "sim/base/failure.h"
#include "sim/cpu/translate/block.h"

namespace symsim {
namespace {

[[noreturn]] void no_host() {
    impossible("code is emitted for a host other than x86-64");
}

}  // namespace

SharedCode emit_shared(CodeRoom&, const HostLayout&) {
    no_host();
}
std::vector<Link> emit_block(CodeRoom&, const HostLayout&, const std::vector<BlockItem>&,
                             const Translated&, const SharedCode&) {
    no_host();
}
void emit_link(CodeRoom&, const HostLayout&, const Link&) {
    no_host();
}

}  // namespace symsim
