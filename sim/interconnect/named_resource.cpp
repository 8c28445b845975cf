// SPDX-License-Identifier: MIT
#include "sim/interconnect/named_resource.h"

#include <fmt/format.h>

#include "sim/base/types.h"

namespace symsim {
namespace {

// By kind: for people, and in one word. {0}: node, {1}: number, {2}: to_node.
struct Formats {
    const char* text;
    const char* word;
};
constexpr Formats kFormats[] = {
    {"node {0}: path of processor {1}", "node{0}_path{1}"},
    {"node {0}: bus", "node{0}_bus"},
    {"node {0}: memory {1}", "node{0}_memory{1}"},
    {"ring {1}: node {0} to {2}", "ring{1}_node{0}_to_node{2}"},
};

}  // namespace

std::string NamedResource::text() const {
    return fmt::format(fmt::runtime(kFormats[index(kind)].text), node, number, to_node);
}

std::string NamedResource::word() const {
    return fmt::format(fmt::runtime(kFormats[index(kind)].word), node, number, to_node);
}

}  // namespace symsim
