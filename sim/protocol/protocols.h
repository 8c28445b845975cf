// SPDX-License-Identifier: MIT
// The coherence protocols. Each is defined in a file of this folder, and its line here registers
// it: with the config key cache.protocol, and with all tests of every protocol.
#pragma once

#include <array>

#include "sim/protocol/protocol.h"

// In the order in which the config's help lists them.
#define SYMSIM_PROTOCOLS(PROTOCOL)    \
    PROTOCOL(write_through)           \
    PROTOCOL(write_through_allocate)  \
    PROTOCOL(write_through_on_change) \
    PROTOCOL(write_back)              \
    PROTOCOL(write_update)            \
    PROTOCOL(no_cache)                \
    PROTOCOL(illinois)                \
    PROTOCOL(moesi)

namespace symsim {

namespace protocols {
#define DECLARE(protocol) extern const Protocol protocol;
SYMSIM_PROTOCOLS(DECLARE)
#undef DECLARE
}  // namespace protocols

#define ADDRESS(protocol) &protocols::protocol,
inline constexpr std::array kProtocols = {SYMSIM_PROTOCOLS(ADDRESS)};
#undef ADDRESS

}  // namespace symsim
