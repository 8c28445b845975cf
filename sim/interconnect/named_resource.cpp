// SPDX-License-Identifier: MIT
#include "sim/interconnect/named_resource.h"

#include <fmt/format.h>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

std::string NamedResource::text() const {
    switch (kind) {
        case Kind::path:
            return fmt::format("node {}: path of processor {}", node, number);
        case Kind::bus:
            return fmt::format("node {}: bus", node);
        case Kind::memory:
            return fmt::format("node {}: memory {}", node, number);
        case Kind::link:
            return fmt::format("ring {}: node {} to {}", number, node, to_node);
    }
    impossible("a resource of kind {}", index(kind));
}

std::string NamedResource::word() const {
    switch (kind) {
        case Kind::path:
            return fmt::format("node{}_path{}", node, number);
        case Kind::bus:
            return fmt::format("node{}_bus", node);
        case Kind::memory:
            return fmt::format("node{}_memory{}", node, number);
        case Kind::link:
            return fmt::format("ring{}_node{}_to_node{}", number, node, to_node);
    }
    impossible("a resource of kind {}", index(kind));
}

}  // namespace symsim
