// SPDX-License-Identifier: MIT
#include "sim/cache/cache_config.h"

#include <fmt/format.h>

namespace symsim {

std::vector<std::pair<std::string, const Protocol*>> named_protocols() {
    std::vector<std::pair<std::string, const Protocol*>> named;
    named.reserve(kProtocols.size());
    for (const Protocol* protocol : kProtocols) named.emplace_back(protocol->name(), protocol);
    return named;
}

std::string protocol_meanings() {
    std::string text = "Coherence protocol.";
    for (const Protocol* protocol : kProtocols)
        text += fmt::format(" {}: {}.", protocol->name(), protocol->meaning());
    return text;
}

}  // namespace symsim
