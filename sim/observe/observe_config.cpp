// SPDX-License-Identifier: MIT
#include "sim/observe/observe_config.h"

namespace symsim {

std::vector<std::pair<std::string, std::optional<ProbeKind>>> named_probes() {
    std::vector<std::pair<std::string, std::optional<ProbeKind>>> named{{"none", std::nullopt}};
    for (const ProbePoint& point : kProbePoints) named.emplace_back(point.name, point.kind);
    return named;
}

}  // namespace symsim
