// SPDX-License-Identifier: MIT
// What a list of fields is written with. A struct that is a table of the config has one such list,
// beside it, and the list is all that declares a key:
//
//     struct BusConfig {
//         std::uint32_t width_bytes = 8;
//     };
//     template <class Visit>
//     void for_each_field(BusConfig& bus, Visit&& visit) {
//         visit("width_bytes", "bytes", bus.width_bytes, fits::PowersOfTwo{4, 8},
//               "Data bytes per bus cycle.");
//     }
//
// That is: name, unit ("": none), member, which values fit, and the meaning in one sentence. The
// default is the member's initial value. sim/config/keys.h makes the keys of the config from all
// lists. A key may end with InResults, if not always in the files of a run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace symsim {

namespace fits {

struct Integers {
    std::uint32_t lowest, highest;
};
struct PowersOfTwo {
    std::uint32_t lowest, highest;
    unsigned shift = 0;  // the member is the value times 2 to the power of this
};
struct Numbers {
    double lowest, highest;
};
struct Flag {};
struct Text {};
// The names of an enumeration's values, which are numbered from 0.
struct Names {
    std::vector<std::string> names;
};
// Values of any other type, with their names.
template <class Value>
struct OneOf {
    std::vector<std::pair<std::string, Value>> values;
};

}  // namespace fits

// Which runs have the key in their files: never, those that set it, or all.
enum class InResults : std::uint8_t { never, if_set, always };

}  // namespace symsim
