// SPDX-License-Identifier: MIT
// What the lists of keys are written with.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/config.h"
#include "sim/config/keys.h"

namespace symsim {

template <class Enum>
ChoiceKey choice(Enum& (*member)(Config&), Enum standard, std::vector<std::string> names) {
    ChoiceKey key;
    key.set = [=](Config& c, std::size_t i) { member(c) = static_cast<Enum>(i); };
    key.get = [=](const Config& c) {
        return static_cast<std::size_t>(member(const_cast<Config&>(c)));
    };
    key.standard = static_cast<std::size_t>(standard);
    key.names = std::move(names);
    return key;
}

// The member of Config that a key stands for.
#define MEMBER(table, key)    \
    [](Config & c) -> auto& { \
        return c.table.key;   \
    }

// The lists, in the order in which they are shown.
std::vector<Key> machine_keys();
std::vector<Key> nodes_keys();
std::vector<Key> device_keys();
std::vector<Key> run_keys();

}  // namespace symsim
